// A button beside every text that people copy. On plain HTTP browsers have no clipboard for pages,
// so there the text is selected, and the keyboard does the rest.

/** Adds the buttons to all texts of this part of the page that are marked with `data-copy`. */
export function offerCopies(root) {
  for (const text of root.querySelectorAll("[data-copy]")) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "button button-small";
    button.textContent = "Copy";
    button.setAttribute("aria-label", `Copy: ${text.getAttribute("aria-label") ?? "text"}`);
    button.addEventListener("click", () => copy(text, button));
    // By the keyboard, all of it.
    text.addEventListener("copy", () => {
      if (`${getSelection()}`.includes(text.textContent)) tellKept(text);
    });
    text.after(button);
    if (navigator.share && /^https?:/.test(text.textContent)) button.after(sharing(text));
  }
}

/** A button that hands an address to an app of the phone. */
function sharing(text) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "button button-small";
  button.textContent = "Share";
  const title = text.getAttribute("aria-label") ?? document.title;
  button.setAttribute("aria-label", `Share: ${title}`);
  button.addEventListener("click", async () => {
    try {
      await navigator.share({ title, url: text.textContent });
      tellKept(text);
    } catch {
      // Nobody was chosen.
    }
  });
  return button;
}

/** Tells the page that a text of it is kept elsewhere. */
export function tellKept(element) {
  element.dispatchEvent(new Event("kept", { bubbles: true }));
}

async function copy(text, button) {
  getSelection().selectAllChildren(text);
  let word = "Selected";
  try {
    await navigator.clipboard.writeText(text.textContent);
    word = "Copied";
    tellKept(text);
  } catch {
    // There is none, or it was refused.
  }
  button.textContent = word;
  setTimeout(() => (button.textContent = "Copy"), 2000);
}
