// Keeps long forms from being lost. Leaving a page with changes that were not sent asks first; some
// phones do not ask, so the tab also keeps the texts, and offers them when the page is opened again.
const PREFIX = "podium-unsaved:";

const forms = [...document.querySelectorAll("form[data-unsaved]")];
const offered = new Set();
let sent = null;
let isCarried = false;

function isChanged(field) {
  if (["checkbox", "radio"].includes(field.type)) return field.checked !== field.defaultChecked;
  if (field instanceof HTMLSelectElement) {
    const first = [...field.options].findIndex((each) => each.defaultSelected);
    return field.selectedIndex !== Math.max(first, 0);
  }
  return "defaultValue" in field && field.value !== field.defaultValue;
}

/** True for a form with changes, and for one that the server has shown again without saving it; not where
 * it was sent, or another form to the same address, as the one below a preview. */
const isUnsaved = (form) =>
  form.action !== sent?.action && (form.dataset.unsaved === "again" || [...form.elements].some(isChanged));

const TYPED = "textarea[name], " + ["text", "number", "datetime-local"].map((type) => `input[type=${type}][name]`).join(", ");

const textsOf = (form) => [...form.querySelectorAll(TYPED)];

/** Also whose it is: somebody else may sign in after this person in the same tab. */
const keyOf = (form) => PREFIX + document.querySelector(".me bdi")?.textContent + " " + form.action;

function store(form, draft) {
  try {
    if (draft) sessionStorage.setItem(keyOf(form), JSON.stringify(draft));
    else sessionStorage.removeItem(keyOf(form));
  } catch {
    // Without a store, or with a full one, there is only the question.
  }
}

function stored(form) {
  try {
    const draft = JSON.parse(sessionStorage.getItem(keyOf(form)));
    if (draft && draft.upload !== form.elements.upload?.value) {
      // Of another file only what a person thought of; the rest was guessed from that file.
      const own = form.dataset.own.split(" ");
      draft.texts = draft.texts.filter(([name]) => own.includes(name));
    }
    return draft;
  } catch {
    return null;
  }
}

function keep() {
  for (const form of forms.filter((each) => !offered.has(each))) {
    const texts = textsOf(form).map((each) => [each.name, each.value]);
    const etag = form.elements.etag?.value;
    const upload = form.elements.upload?.value;
    store(form, isUnsaved(form) ? { texts, etag, upload, isCarried } : null);
  }
}

/** Puts a draft back, with the version that it was made from: others' changes since are reported. */
function restore(form, draft) {
  const fields = new Map(textsOf(form).map((each) => [each.name, each]));
  for (const [name, value] of draft.texts) if (fields.has(name)) fields.get(name).value = value;
  if (draft.etag) form.elements.etag.value = draft.etag;
  for (const each of fields.values()) each.dispatchEvent(new Event("input", { bubbles: true }));
}

function offer(form) {
  const draft = stored(form);
  const fields = new Map(textsOf(form).map((each) => [each.name, each.value]));
  if (!draft?.texts.some(([name, value]) => fields.has(name) && fields.get(name) !== value)) return;
  if (draft.isCarried) return restore(form, draft);
  offered.add(form);
  const box = Object.assign(document.createElement("div"), { className: "alert alert-info" });
  box.setAttribute("role", "status");
  const words = document.createElement("p");
  words.textContent = "You left this page with changes that were not saved. This tab has kept the text.";
  const actions = Object.assign(document.createElement("div"), { className: "actions" });
  for (const [label, act] of [["Restore it", () => restore(form, draft)], ["Discard it", () => store(form, null)]]) {
    const button = Object.assign(document.createElement("button"), { type: "button", className: "button", textContent: label });
    button.addEventListener("click", () => {
      offered.delete(form);
      box.remove();
      act();
    });
    actions.append(button);
  }
  box.append(words, actions);
  form.before(box);
  form.closest("details")?.setAttribute("open", "");
}

/** Asks before links are left that are shown only once, until each was copied or shared, or all of them
 * were printed or downloaded. */
export function watchCards() {
  const left = new Set(document.querySelectorAll(".slip [data-copy]"));
  document.addEventListener("kept", ({ target }) => {
    if (target.matches("[data-copy]")) left.delete(target);
    else left.clear();
  });
  addEventListener("beforeprint", () => left.clear());
  addEventListener("beforeunload", (event) => {
    if (left.size) event.preventDefault();
  });
}

/** Watches the forms of the page that are marked with `data-unsaved`. */
export function watchForms() {
  forms.forEach(offer);
  document.addEventListener("input", ({ target }) => {
    if (target.form?.action === sent?.action) sent = null;
  });
  document.addEventListener("submit", ({ target }) => {
    sent = target;
    // A button that leads to the same form again takes along what was typed.
    isCarried = "carries" in target.dataset;
  });
  addEventListener("pagehide", keep);
  document.addEventListener("visibilitychange", () => document.hidden && keep());
  addEventListener("beforeunload", (event) => {
    if (!isCarried && forms.some(isUnsaved)) event.preventDefault();
  });
}
