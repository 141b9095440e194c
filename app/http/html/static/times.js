// Adds to a time how far away it is: "22 Nov 2026, 12:00 (in 2 days)". The text stays as it is, so
// that nothing moves for those who read it already; the title says it in the reader's own zone.
const UNITS = [
  ["year", 31536000],
  ["month", 2592000],
  ["day", 86400],
  ["hour", 3600],
  ["minute", 60],
];

const relative = new Intl.RelativeTimeFormat("en", { numeric: "auto" });

/** How far away a moment is, in the largest unit of which there is at least one. */
export function distance(moment, now = Date.now()) {
  const seconds = (moment - now) / 1000;
  for (const [unit, length] of UNITS) {
    if (Math.abs(seconds) >= length) return relative.format(Math.trunc(seconds / length), unit);
  }
  return seconds < 0 ? "just now" : "in less than a minute";
}

/** Does that to all times of this part of the page, now and every half minute. */
export function tellTimes(root) {
  const update = () => {
    for (const element of root.querySelectorAll("time[datetime]")) tell(element);
  };
  update();
  setInterval(update, 30000);
}

function tell(element) {
  const moment = Date.parse(element.dateTime);
  if (Number.isNaN(moment)) return;
  element.title = new Date(moment).toLocaleString();
  if (!element.closest("[data-far]")) return;
  let note = element.querySelector("small");
  if (!note) {
    note = document.createElement("small");
    element.append(" ", note);
  }
  note.textContent = `(${distance(moment)})`;
}
