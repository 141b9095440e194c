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
    text.after(button);
  }
}

async function copy(text, button) {
  getSelection().selectAllChildren(text);
  let word = "Selected";
  if (navigator.clipboard) {
    await navigator.clipboard.writeText(text.textContent);
    word = "Copied";
  }
  button.textContent = word;
  setTimeout(() => (button.textContent = "Copy"), 2000);
}
