// What makes organizers' pages quicker; everything works without. Files go to the API directly, with
// progress; boxes can be ticked together; settings files fill their text area.
import { tellKept } from "./copy.js";
import { offerDrop } from "./drops.js";
import { offerUploads } from "./organizer_uploads.js";
import { watchCards, watchForms } from "./unsaved.js";

/** The beginning of a file that is looked at before its text is taken. */
const HEAD_BYTES = 65536;

/** The first bytes of archives, which spreadsheets are. */
const ZIP = [0x50, 0x4b, 3, 4];

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
    input.accept = area.dataset.accept;
    label.append("From a file ", input);
    label.className = "hint";
    const state = Object.assign(document.createElement("p"), { className: "problem", hidden: true });
    state.setAttribute("role", "alert");
    area.before(label, state);
    input.addEventListener("change", async () => {
      const [file] = input.files;
      if (!file) return;
      const problem = await refusalOf(file, area);
      state.textContent = problem;
      state.hidden = !problem;
      if (!problem) area.value = await file.text();
      if (problem) input.value = "";
    });
  }
}

/** The reason why a file is not taken as the text of an area; empty for text. */
async function refusalOf(file, area) {
  const head = new Uint8Array(await file.slice(0, HEAD_BYTES).arrayBuffer());
  const isZip = ZIP.every((byte, place) => head[place] === byte);
  if (isZip && area.dataset.sheet) return area.dataset.sheet;
  return isZip || head.includes(0) ? area.dataset.file : "";
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
