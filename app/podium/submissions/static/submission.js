// Follows a submission until its verdict: by live events, and by asking where those do not come
// through. The result itself is the server's page, which is loaded once there is one.
const FINAL = ["scored", "rejected", "failed", "cancelled"];
const POLL_MILLISECONDS = 3000;
const READ_SHARE = 0.95;

const live = document.getElementById("live");
if (live) follow(`/api/v1/submissions/${live.dataset.submission}`);

function follow(address) {
  let poll = null;
  const events = new EventSource(`${address}/events`);
  events.addEventListener("submission", (event) => {
    clearInterval(poll);
    poll = null;
    if (show(JSON.parse(event.data))) events.close();
  });
  events.addEventListener("error", () => {
    // The browser connects again by itself, but some proxies never let a stream through.
    poll ??= setInterval(async () => {
      const answer = await fetch(address).catch(() => null);
      if (answer?.ok && show(await answer.json())) events.close();
    }, POLL_MILLISECONDS);
  });
  addEventListener("pagehide", () => events.close());
}

/** Shows a state; true once there is nothing more to follow. */
function show(submission) {
  if (FINAL.includes(submission.status)) {
    location.replace(location.pathname);
    return true;
  }
  const isQueued = submission.status === "queued";
  const progress = submission.progress ?? 0;
  const badge = document.querySelector(".submission-facts .badge");
  badge.textContent = submission.status;
  badge.classList.toggle("badge-accent", !isQueued);
  mark(isQueued ? 1 : progress >= READ_SHARE ? 3 : 2);
  live.querySelector("progress").value = progress;
  if (!isQueued) live.querySelector("form")?.remove();
  say(isQueued ? waitingWords(submission) : judgingWords(progress));
  return false;
}

function waitingWords(submission) {
  const place = submission.queue_position;
  if (submission.waits) return submission.notice;
  return place ? `Waiting: number ${place} in the queue.` : "Waiting in the queue.";
}

function judgingWords(progress) {
  return progress >= READ_SHARE ? "All rows are read. Computing the score." : "Checking the rows.";
}

function say(words) {
  const place = document.getElementById("live-words");
  if (place.textContent !== words) place.textContent = words;
}

function mark(now) {
  [...live.querySelectorAll(".step")].forEach((step, at) => {
    step.className = `step step-${at < now ? "done" : at === now ? "now" : "ahead"}`;
    if (at === now) step.setAttribute("aria-current", "step");
    else step.removeAttribute("aria-current");
  });
}
