// Says of times how far away they are: "22 Nov 2026, 12:00 UTC (in 2 days)". In a table there is room
// for one of both: "3 hours ago", or the day where that is long ago. The title has the whole, in UTC
// and in the reader's own zone. Forms, whose times are UTC, say the reader's own beside them.
const UNITS = [
  ["year", 31536000],
  ["month", 2592000],
  ["day", 86400],
  ["hour", 3600],
  ["minute", 60],
];

const NEAR_MILLISECONDS = 7 * 86400 * 1000;

const OWN = new Intl.DateTimeFormat("en-GB", {
  day: "numeric",
  month: "short",
  year: "numeric",
  hour: "2-digit",
  minute: "2-digit",
  timeZoneName: "short",
});

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

/** Says beside every field for a time, which is UTC, what the reader's clock shows then. */
export function tellFields(root) {
  for (const field of root.querySelectorAll("input[type=datetime-local]")) {
    const note = document.createElement("p");
    note.className = "hint";
    note.setAttribute("aria-live", "polite");
    field.after(note);
    const update = () => {
      const moment = Date.parse(`${field.value}Z`);
      note.textContent = Number.isNaN(moment) ? "" : ownTime(moment);
      note.hidden = note.textContent === "";
    };
    update();
    field.addEventListener("input", update);
  }
}

/** A moment by the reader's clock; empty where that is UTC. */
function ownTime(moment) {
  const date = new Date(moment);
  return date.getTimezoneOffset() === 0 ? "" : `${OWN.format(date)} in your time zone`;
}

function tell(element) {
  const moment = Date.parse(element.dateTime);
  if (Number.isNaN(moment)) return;
  element.dataset.whole ??= element.textContent;
  const { whole } = element.dataset;
  element.title = `${whole} · ${new Date(moment).toLocaleString()} here`;
  if (element.closest("td, th")) {
    const isNear = Math.abs(moment - Date.now()) < NEAR_MILLISECONDS;
    element.textContent = isNear ? distance(moment) : whole.split(",")[0];
  } else if (element.closest("[data-far]")) {
    element.textContent = whole;
    const note = document.createElement("small");
    note.textContent = `(${distance(moment)})`;
    element.append(" ", note);
  } else if (element.closest("form")) {
    const own = ownTime(moment);
    element.textContent = own ? `${whole} (${own})` : whole;
  }
}
