// Forms with a file: the file itself goes to the API, with progress, rate and a way to stop. What the
// API refuses is shown in the form, with every problem that it names.
import { SILENT, endWhenSilent } from "./silence.js";

/** An upload that was left behind is discarded for another file if sending it again takes a moment. */
const SMALL_BYTES = 16 * 1048576;

/** Takes over the forms of this page that say where their file goes. */
export function offerUploads() {
  for (const form of document.querySelectorAll("form[data-upload]")) {
    // A file of which nothing can be made is in the way of the next one.
    if (form.dataset.discard) fetch(form.dataset.discard, { method: "DELETE" }).catch(() => null);
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      send(form);
    });
  }
}

/** The address with the form's fields in its places; `{name}` falls back to the file's own name. */
export function addressOf(template, fields, file) {
  const [path, query = ""] = template.split("?");
  const fill = (text) =>
    text.replace(/\{(\w+)\}/g, (_, name) =>
      encodeURIComponent(fields.get(name)?.trim() || (name === "name" ? file.name : "")),
    );
  const given = fill(query)
    .split("&")
    .filter((pair) => pair && !pair.endsWith("="));
  if (path.endsWith("/submissions")) given.push(`filename=${encodeURIComponent(file.name)}`);
  return fill(path) + (given.length ? `?${given.join("&")}` : "");
}

function send(form) {
  const fields = new FormData(form);
  const file = fields.get("file");
  const view = viewOf(form);
  const request = new XMLHttpRequest();
  request.open(form.dataset.method, addressOf(form.dataset.upload, fields, file));
  request.setRequestHeader("Content-Type", "application/octet-stream");
  // An upload of its own, which says that this is all of it, and becomes a file on the next page.
  if ("complete" in form.dataset) {
    request.setRequestHeader("Upload-Complete", "?1");
    request.setRequestHeader("Upload-Metadata", `filename ${base64Of(file.name)}`);
  }
  const began = performance.now();
  request.upload.addEventListener("progress", (event) => {
    view.progress(event.loaded, event.total, (performance.now() - began) / 1000);
  });
  request.upload.addEventListener("load", () => view.say("File received. It is being checked."));
  request.addEventListener("load", async () => {
    if (request.status === 429 && "complete" in form.dataset) {
      if (await discardsOldest()) send(form);
      // The page of the form lists the uploads that are in the way, each with a button.
      else location.assign(`${form.dataset.to}?full=yes`);
    } else if (request.status >= 400) view.refuse(problemOf(request));
    else if ("complete" in form.dataset) {
      const { id } = JSON.parse(request.responseText);
      location.assign(`${form.dataset.to}?upload=${encodeURIComponent(id)}`);
    } else {
      // A long file may still be being read: the page looks again by itself.
      const isReading = request.status === 202 && location.pathname.endsWith("/ground-truth");
      const done = isReading ? "truth-checking" : form.dataset.done;
      location.assign(`${form.dataset.to || location.pathname}?done=${done}`);
    }
  });
  request.addEventListener("error", () => view.refuse({ detail: "The connection was lost. Upload the file again." }));
  let stopped = "Stopped. Nothing was stored.";
  request.addEventListener("abort", () => view.refuse({ detail: stopped }));
  const endWatch = endWhenSilent(request, () => (stopped = `${SILENT} Upload the file again.`));
  request.upload.addEventListener("load", endWatch);
  view.begin(() => request.abort());
  request.send(file);
}

/** True if an upload was in the way that is small and complete, and is gone now. */
async function discardsOldest() {
  const answer = await fetch("/api/v1/uploads").catch(() => null);
  const { items } = answer?.ok ? await answer.json() : { items: [] };
  const left = items.filter((each) => each.complete && !each.submission_id && each.offset <= SMALL_BYTES);
  const [oldest] = left.sort((a, b) => a.expires_at.localeCompare(b.expires_at));
  if (!oldest) return false;
  const gone = await fetch(`/api/v1/uploads/${oldest.id}`, { method: "DELETE" }).catch(() => null);
  return Boolean(gone?.ok);
}

/** A text as headers may hold it. */
function base64Of(text) {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)));
}

function problemOf(request) {
  try {
    return JSON.parse(request.responseText);
  } catch {
    return { detail: `The server answered ${request.status}.` };
  }
}

function viewOf(form) {
  const box = form.querySelector(".upload-progress");
  const bar = box.querySelector("progress");
  const words = box.querySelector(".progress-words");
  const button = form.querySelector("button");
  const stop = document.createElement("button");
  stop.type = "button";
  stop.className = "button button-small";
  stop.textContent = "Stop";
  let said = 0;
  return {
    begin(onStop) {
      form.querySelector(".alert")?.remove();
      button.disabled = true;
      box.hidden = false;
      stop.onclick = onStop;
      box.querySelector("button")?.remove();
      box.append(stop);
    },
    progress(loaded, total, seconds) {
      bar.value = total ? (100 * loaded) / total : 0;
      // Screen readers hear it every five seconds at most.
      if (performance.now() - said < 5000 && loaded < total) return;
      said = performance.now();
      const rate = loaded / 1048576 / Math.max(seconds, 0.001);
      const left = (total - loaded) / 1048576 / Math.max(rate, 0.001);
      words.textContent = `${Math.floor(bar.value)} %, ${rate.toFixed(1)} MB/s, ${Math.ceil(left)} s left`;
    },
    say(text) {
      words.textContent = text;
    },
    refuse(problem) {
      button.disabled = false;
      box.hidden = true;
      stop.remove();
      form.prepend(alertOf(problem));
      form.querySelector(".alert").focus();
    },
  };
}

/** A problem as a sentence, with its line and what to do about it. */
function messageOf({ line, detail, hint }) {
  const what = hint ? `${detail.replace(/\.$/, "")}. ${hint}` : detail;
  return line ? `Line ${line}: ${what}` : what;
}

const sentence = (text) => text.charAt(0).toUpperCase() + text.slice(1);

function alertOf(problem) {
  const box = document.createElement("div");
  box.className = "alert alert-bad";
  box.setAttribute("role", "alert");
  box.tabIndex = -1;
  const title = document.createElement("p");
  title.className = "alert-title";
  const errors = problem.errors ?? [];
  // One thing is said once, with its line and what to do.
  const isOne = errors.length === 1 && problem.detail.includes(errors[0].detail.replace(/\.$/, ""));
  title.textContent = sentence(isOne ? messageOf(errors[0]) : problem.detail);
  box.append(title);
  if (errors.length && !isOne) {
    const list = document.createElement("ul");
    for (const each of errors) {
      const item = document.createElement("li");
      item.textContent = sentence(messageOf(each));
      list.append(item);
    }
    box.append(list);
  }
  return box;
}
