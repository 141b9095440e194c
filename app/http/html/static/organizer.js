// What makes organizers' pages quicker; everything works without. Files go to the API directly, with
// progress; boxes can be ticked together; settings files fill their text area.
import { tellKept } from "./copy.js";
import { offerDrop } from "./drops.js";
import { offerUploads } from "./organizer_uploads.js";
import { watchCards, watchForms } from "./unsaved.js";

/** A box that ticks all boxes of a name in its form. */
function offerTicks() {
  for (const all of document.querySelectorAll("input[data-all]")) {
    const form = all.closest("form");
    const boxes = [...form.querySelectorAll(`input[name="${all.dataset.all}"]`)];
    all.closest("[hidden]").hidden = false;
    all.addEventListener("change", () => boxes.forEach((box) => (box.checked = all.checked)));
    form.addEventListener("change", () => {
      const ticked = boxes.filter((box) => box.checked).length;
      all.checked = ticked === boxes.length;
      all.indeterminate = ticked > 0 && ticked < boxes.length;
    });
  }
}

/** A button beside a text area that reads a file into it. */
function offerFiles() {
  for (const area of document.querySelectorAll("textarea[data-file]")) {
    const label = document.createElement("label");
    const input = document.createElement("input");
    input.type = "file";
    input.accept = ".yaml,.yml,.json,text/plain";
    label.append("From a file ", input);
    label.className = "hint";
    area.before(label);
    input.addEventListener("change", async () => {
      if (input.files.length) area.value = await input.files[0].text();
    });
  }
}

/** Derives the slug from the title until somebody types one. */
function offerSlugs() {
  for (const title of document.querySelectorAll("input[data-slug]")) {
    const slug = document.getElementById(title.dataset.slug);
    let isOwn = slug.value !== "";
    slug.addEventListener("input", () => (isOwn = slug.value !== ""));
    title.addEventListener("input", () => {
      if (isOwn) return;
      const plain = title.value.toLowerCase().replaceAll("ß", "ss").normalize("NFKD");
      slug.value = plain.replace(/[\u0300-\u036f]/g, "").replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "").slice(0, 64);
    });
  }
}

/** A button that saves the text of an area as a file. */
function offerDownloads() {
  for (const button of document.querySelectorAll("button[data-download]")) {
    button.hidden = false;
    button.addEventListener("click", () => {
      const { value } = document.getElementById(button.dataset.of);
      const link = document.createElement("a");
      link.href = URL.createObjectURL(new Blob([value], { type: "text/csv" }));
      link.download = button.dataset.download;
      tellKept(button);
      link.click();
    });
  }
}

/** Gives the answer to a form, which no browser can open a second time, the address of a page that it can. */
function replaceAddress() {
  const shown = document.querySelector("[data-once]");
  if (shown) history.replaceState(null, "", shown.dataset.once);
}

for (const button of document.querySelectorAll("button[data-print]")) {
  button.hidden = false;
  button.addEventListener("click", () => print());
}

// A field that a browser refuses to send is shown, also where it was folded away.
document.addEventListener("invalid", (event) => event.target.closest("details")?.setAttribute("open", ""), true);

offerSlugs();
offerTicks();
offerFiles();
offerUploads();
offerDownloads();
replaceAddress();
watchForms();
watchCards();
for (const box of document.querySelectorAll(".drop")) offerDrop(box);
