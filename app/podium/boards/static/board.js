// Keeps the leaderboard new while somebody looks at it. Asks for the version of the board only; where
// that has changed, fetches this very page and puts its rows in the place of the old ones: a row stays
// the same element, so that focus, selection and scrolling stay where they are. Nothing is asked while
// the page is hidden, and without this script the page is as it was when it was opened.
const PAUSE = 10000;
const LONGEST_PAUSE = 120000;

const live = document.getElementById("live");
const news = document.getElementById("news");

let etag = live?.dataset.etag;
let pause = PAUSE;
let timer = null;
let isAsking = false;

if (live?.dataset.news) {
  document.addEventListener("visibilitychange", plan);
  plan();
}

function plan() {
  clearTimeout(timer);
  if (!document.hidden) timer = setTimeout(look, pause);
}

async function look() {
  if (isAsking) return;
  isAsking = true;
  try {
    // A selection would be lost with the rows that it spans.
    if (!isSelecting() && (await hasNews())) await renew();
    pause = PAUSE;
  } catch {
    pause = Math.min(2 * pause, LONGEST_PAUSE);
  } finally {
    isAsking = false;
    plan();
  }
}

async function hasNews() {
  const answer = await fetch(live.dataset.news, {
    headers: { "If-None-Match": etag },
    cache: "no-store",
    // Who asks without a cookie is answered from memory; private competitions need it.
    credentials: "open" in live.dataset ? "omit" : "same-origin",
  });
  if (answer.status === 304) return false;
  if (!answer.ok) throw new Error(`status ${answer.status}`);
  const found = answer.headers.get("ETag");
  if (found === etag) return false;
  etag = found;
  return true;
}

async function renew() {
  const answer = await fetch(location.href, { cache: "no-cache", credentials: "same-origin" });
  if (!answer.ok) throw new Error(`status ${answer.status}`);
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const body = live.querySelector(".board tbody");
  const fresh = page.querySelector(".board tbody");
  if (!body && !fresh) return;
  if (!body || !fresh || isOtherwise(page)) {
    // The first score of a board, the last one gone, or other columns: rows alone would not fit.
    news.textContent = "The board has changed. Reload the page to see it.";
    news.className = "alert";
    return;
  }
  const focused = document.activeElement;
  exchangeRows(body, fresh);
  const tiles = page.querySelector("[data-live]");
  live.querySelector("[data-live]").replaceChildren(...tiles.children);
  if (focused instanceof HTMLElement && focused.isConnected && focused !== document.activeElement) {
    focused.focus({ preventScroll: true });
  }
  const { rank } = tiles.dataset;
  news.textContent = rank ? `Board updated; you are now ${ordinal(Number(rank))}.` : "Board updated.";
}

/** Whether the columns are others now, as after a reveal. */
function isOtherwise(page) {
  const width = (root) => root.querySelectorAll(".board thead th").length;
  return width(page) !== width(document);
}

function exchangeRows(body, fresh) {
  const old = new Map([...body.rows].map((row) => [row.id, row]));
  let next = body.firstElementChild;
  for (const row of [...fresh.rows]) {
    const known = old.get(row.id);
    old.delete(row.id);
    let shown = known;
    if (!known) {
      shown = document.importNode(row, true);
      shown.classList.add("fresh");
    } else if (sourceOf(known) !== sourceOf(row)) {
      const isOpen = known.querySelector("details")?.open;
      known.replaceChildren(...[...row.childNodes].map((node) => document.importNode(node, true)));
      if (isOpen) known.querySelector("details").open = true;
      known.className = `${row.className} fresh`;
    } else {
      known.className = row.className;
    }
    if (shown === next) next = next.nextElementSibling;
    else body.insertBefore(shown, next);
  }
  for (const row of old.values()) row.remove();
}

/** A row as the server wrote it: without what scripts have added, and what was unfolded. */
function sourceOf(row) {
  const copy = row.cloneNode(true);
  copy.querySelector("details")?.removeAttribute("open");
  for (const time of copy.querySelectorAll("time")) time.replaceWith(time.dateTime);
  return copy.innerHTML;
}

function isSelecting() {
  const selection = getSelection();
  return selection && !selection.isCollapsed && live.contains(selection.anchorNode);
}

function ordinal(number) {
  const ending = { one: "st", two: "nd", few: "rd", other: "th" };
  return `${number}${ending[new Intl.PluralRules("en", { type: "ordinal" }).select(number)]}`;
}
