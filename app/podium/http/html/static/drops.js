// A box around a file field, onto which a file can be dropped.

/** Files that are dropped anywhere on the box are chosen in its field, which hears of it as usual. */
export function offerDrop(box) {
  const input = box.querySelector("input[type=file]");
  for (const kind of ["dragenter", "dragover"]) {
    box.addEventListener(kind, (event) => {
      event.preventDefault();
      box.classList.add("drop-over");
    });
  }
  for (const kind of ["dragleave", "drop"]) {
    box.addEventListener(kind, () => box.classList.remove("drop-over"));
  }
  box.addEventListener("drop", (event) => {
    event.preventDefault();
    if (!event.dataTransfer.files.length) return;
    input.files = event.dataTransfer.files;
    input.dispatchEvent(new Event("change"));
  });
  box.classList.add("drop-ready");
}
