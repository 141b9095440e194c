// Counts the ticked files, and keeps the states in the list of submissions fresh while something is
// being judged. The page is loaded anew when a verdict is there, unless a tick is not saved yet.
const POLL_MILLISECONDS = 3000;

const followed = [...document.querySelectorAll("[data-follow]")];
const form = document.getElementById("finals-form");
let isTouched = false;
form?.addEventListener("change", () => {
  isTouched = true;
  countTicks();
});
let timer = followed.length ? setTimeout(look, POLL_MILLISECONDS) : null;

/** Says beside the heading how many are ticked. */
function countTicks() {
  const ticked = form.querySelectorAll("[name=final]:checked").length;
  const places = Number(form.dataset.places);
  const badge = document.getElementById("finals-count");
  badge.textContent = `${ticked} of ${places} selected`;
  badge.className = `badge badge-${ticked > places ? "warn" : ticked ? "accent" : "quiet"}`;
}

async function look() {
  let isOver = false;
  for (const row of followed) {
    const answer = await fetch(`/api/v1/submissions/${row.dataset.follow}`).catch(() => null);
    if (!answer?.ok) continue;
    const { status, queue_position: place } = await answer.json();
    const badge = row.querySelector(".badge");
    if (badge.textContent !== status) isOver ||= !["queued", "judging"].includes(status);
    badge.textContent = status;
    const small = badge.parentElement.querySelector("small");
    if (small) small.textContent = place ? `${place} in queue` : "";
  }
  if (isOver && !isTouched) location.reload();
  else timer = setTimeout(look, POLL_MILLISECONDS);
}

addEventListener("pagehide", () => clearTimeout(timer));
