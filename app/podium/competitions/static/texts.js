// Texts and announcements of a competition as they are written: the server renders the preview a
// moment after the last key, and a picture becomes a data file and a line of Markdown where the
// cursor was.
const PAUSE_MILLISECONDS = 500;

const form = document.querySelector("form[data-texts]");
const seen = document.querySelector("[data-seen]");
const KINDS = "Pictures are PNG, JPEG, GIF or WebP; export a photo in HEIC as JPEG first.";
// Phones that take photos in HEIC hand them over as JPEG where that is asked for.
const ACCEPTED = "image/png,image/jpeg,image/gif,image/webp";
const visited = new Set();

/** Shows how the texts look now, unless they changed again meanwhile. */
function offerPreview() {
  let asked = 0;
  let timer;
  const render = async () => {
    const mine = ++asked;
    const body = new URLSearchParams(new FormData(form));
    body.set("act", "preview");
    const answer = await fetch(form.action, { method: "POST", body }).catch(() => null);
    if (mine !== asked || !answer?.ok) return;
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const fresh = page.querySelector("[data-seen]");
    if (mine === asked && fresh) seen.replaceChildren(...fresh.childNodes);
  };
  form.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(render, PAUSE_MILLISECONDS);
  });
  form.querySelector("button[value=preview]").hidden = true;
}

/** A button above each text that puts a picture into it. */
function offerPictures() {
  for (const area of form.querySelectorAll("textarea")) {
    const label = document.createElement("label");
    label.className = "hint";
    const input = Object.assign(document.createElement("input"), { type: "file", accept: ACCEPTED });
    const state = document.createElement("span");
    state.setAttribute("role", "status");
    label.append("Insert a picture (PNG, JPEG, GIF or WebP) ", input);
    area.before(label, state);
    area.addEventListener("focus", () => visited.add(area));
    input.addEventListener("change", async () => {
      const [file] = input.files;
      if (!file) return;
      state.className = "hint";
      state.textContent = `Uploading ${file.name} …`;
      const problem = await put(file, area);
      state.className = problem ? "problem" : "hint";
      state.textContent = problem ?? "The picture is in the text, and among the data files.";
      input.value = "";
    });
  }
}

/** True if the first bytes are those of a picture that every browser shows, whatever the name says. */
async function isPicture(file) {
  const head = String.fromCharCode(...new Uint8Array(await file.slice(0, 12).arrayBuffer()));
  return /^(\x89PNG\r\n\x1a\n|\xff\xd8\xff|GIF8[79]a|RIFF.{4}WEBP)/s.test(head);
}

/** Stores a picture and writes its line; answers what went wrong, if anything did. */
async function put(file, area) {
  if (!(await isPicture(file))) return `“${file.name}” cannot be shown. ${KINDS}`;
  const name = file.name.replace(/[^A-Za-z0-9._-]+/g, "-").replace(/^[^A-Za-z0-9]+/, "");
  const answer = await fetch(`${form.dataset.files.replace("/competitions/", "/admin/competitions/")}/${name}`, {
    method: "PUT",
    body: file,
    headers: { "Content-Type": "application/octet-stream" },
  }).catch(() => null);
  if (!answer) return "The connection was lost. Choose the picture again.";
  if (!answer.ok) return (await answer.json().catch(() => null))?.detail ?? `The server answered ${answer.status}.`;
  const words = name.replace(/\.[^.]*$/, "").replace(/[-_]+/g, " ").trim();
  insert(area, `![${words}](${form.dataset.files}/${name})`);
  area.dispatchEvent(new Event("input", { bubbles: true }));
  area.focus();
  return null;
}

/** Writes a picture where the cursor is, or at the end of a text that nobody has been in. Inside a line
 * it stays there; anywhere else it is a paragraph, or it would become a part of its neighbors. */
function insert(area, line) {
  const [from, to] = visited.has(area) ? [area.selectionStart, area.selectionEnd] : [area.value.length, area.value.length];
  const before = area.value.slice(0, from);
  const after = area.value.slice(to);
  const isInLine = /[^\n]$/.test(before) && /^[^\n]/.test(after);
  const above = isInLine || before === "" ? "" : "\n\n".slice(Math.min(2, before.match(/\n*$/)[0].length));
  const below = isInLine || after === "" ? "" : "\n\n".slice(Math.min(2, after.match(/^\n*/)[0].length));
  area.setRangeText(above + line + below, from, to, "end");
}

offerPreview();
offerPictures();
