// Names the column of cells between the first and the last, for tables whose rows a phone stacks.
addEventListener("DOMContentLoaded", () => {
  for (const table of document.querySelectorAll(".md-typeset table:not([class])")) {
    const heads = Array.from(table.querySelectorAll("thead th"), (head) => head.textContent);
    for (const row of table.querySelectorAll("tbody tr")) {
      for (const cell of Array.from(row.cells).slice(1, -1)) {
        if (cell.textContent === "–") cell.dataset.nothing = "";
        else cell.dataset.column = heads[cell.cellIndex];
      }
    }
  }
});
