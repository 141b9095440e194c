// The submit page: a place to drop a file, a look at it before it is sent, and its way to the server.
import { offerDrop } from "./drops.js";
import { lookAt, rowsOf, rowsProblem } from "./submit_check.js";
import { forget, namesById } from "./submit_memory.js";
import { Interrupted, Refused, Transfer, ask, submitUpload } from "./submit_transfer.js";
import { Rate, counted, durationOf, sizeOf } from "./submit_words.js";

const at = (id) => document.getElementById(id);
const form = at("submit-form");

let looked = 0;

if (form) prepare();
nameUnfinished();

function prepare() {
  const input = at("file");
  offerDrop(at("drop"));
  input.addEventListener("change", () => input.files.length && check(input.files[0]));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (input.files.length) send(input.files[0]);
  });
  if (input.files.length) check(input.files[0]);
}

async function check(file) {
  const turn = (looked += 1);
  const isWanted = () => turn === looked;
  tell(file, "Looking at the file …", []);
  let seen;
  try {
    seen = await lookAt(file, form.dataset);
  } catch {
    // The browser may not read it, or it changed meanwhile: the server will say what is wrong.
    if (isWanted()) tell(file, "The file cannot be looked at here.", []);
    return;
  }
  if (!isWanted()) return;
  const words = seen.kind === "CSV" ? "Header and first rows look good." : `Recognized as ${seen.kind}.`;
  tell(file, seen.problems.length ? "" : words, seen.problems);
  if (seen.kind !== "CSV" || seen.problems.length) return;
  const rows = await rowsOf(file, isWanted);
  if (rows === null) return;
  const problem = rowsProblem(rows, form.dataset);
  tell(file, `${words} ${counted(rows, "row")}.`, problem ? [problem] : []);
}

function tell(file, words, problems) {
  const box = at("check");
  box.hidden = false;
  box.className = problems.length ? "check check-bad" : "check";
  const first = document.createElement("p");
  const name = document.createElement("strong");
  name.textContent = file.name;
  first.append(name, ` ${sizeOf(file.size)}. ${words}`);
  box.replaceChildren(first);
  if (problems.length) {
    // What to do is said once where it is the same for all of them.
    const hints = new Set(problems.map(({ hint }) => hint));
    const shared = problems.length > 1 && hints.size === 1 ? problems[0].hint : "";
    const list = document.createElement("ul");
    for (const { line, text, hint } of problems) {
      const item = document.createElement("li");
      const sentence = text.endsWith(".") ? text : `${text}.`;
      item.textContent = `${line ? `Line ${line}: ` : ""}${sentence} ${shared ? "" : hint}`.trim();
      list.append(item);
    }
    box.append(list);
    if (shared) box.append(paragraph(shared));
  }
  const send = at("send-button");
  send.textContent = problems.length ? "Submit anyway" : "Submit";
  send.className = problems.length ? "button button-plain" : "button button-primary";
}

function paragraph(words) {
  const made = document.createElement("p");
  made.textContent = words;
  return made;
}

async function send(file) {
  const note = at("note").value;
  form.hidden = true;
  at("sending").hidden = false;
  at("sending-name").textContent = file.name;
  say("");
  const rate = new Rate();
  const transfer = new Transfer(file, {
    progress: (sent, total) => show(sent, total, rate),
    waiting: (seconds, why) => {
      rate.forget();
      say(`${why ?? "The connection was lost."} Resuming in ${durationOf(seconds)}.`);
    },
    going: (offset) => {
      rate.forget();
      say(offset ? `Resumed: ${sizeOf(offset)} were already uploaded.` : "");
    },
  });
  steer(transfer);
  try {
    await refuseWithoutQuota();
    const id = await transfer.run();
    if (id === null) return;
    await finish(id, file, note, transfer);
  } catch (error) {
    refused(error);
  }
}

async function finish(id, file, note, transfer) {
  show(file.size, file.size, new Rate());
  at("pause").hidden = at("give-up").hidden = true;
  say("Upload complete. Adding the file to the queue.");
  const submission = await submitUpload(form.dataset.slug, id, file.name, note);
  forget(transfer.key);
  const slug = encodeURIComponent(form.dataset.slug);
  location.assign(`/competitions/${slug}/submissions/${submission.id}`);
}

function steer(transfer) {
  const pause = at("pause");
  pause.hidden = at("give-up").hidden = false;
  pause.textContent = "Pause";
  pause.onclick = () => {
    const wasPaused = transfer.isPaused;
    if (wasPaused) transfer.resume();
    else transfer.pause();
    pause.textContent = wasPaused ? "Pause" : "Resume";
    say(wasPaused ? "" : `Paused. The uploaded part is kept for ${form.dataset.kept}.`);
  };
  at("give-up").onclick = async () => {
    await transfer.stop();
    back();
  };
  pause.focus();
}

function show(sent, total, rate) {
  const bar = document.querySelector("#sending progress");
  bar.max = Math.max(1, total);
  bar.value = sent;
  rate.add(sent);
  const share = total ? Math.floor((100 * sent) / total) : 100;
  const facts = [`${share} %`, `${sizeOf(sent)} of ${sizeOf(total)}`];
  if (rate.value > 0 && sent < total) {
    facts.push(`${sizeOf(Math.round(rate.value))}/s`, `${durationOf((total - sent) / rate.value)} left`);
  }
  at("sending-facts").textContent = facts.join(" · ");
  document.title = `${share} % · ${document.title.replace(/^\d+ % · /, "")}`;
}

function say(words) {
  if (at("sending-state").textContent !== words) at("sending-state").textContent = words;
}

async function refuseWithoutQuota() {
  const slug = encodeURIComponent(form.dataset.slug);
  const answer = await ask("GET", `/api/v1/competitions/${slug}/team`).catch(() => null);
  if (!answer?.ok) return;
  const team = answer.document;
  if (team.submissions_left_today === 0) {
    if (team.limited_by === "phase") throw new Refused({ detail: "The competition is over." });
    throw new Refused({ detail: `Daily limit reached. Next submission in ${durationOf((Date.parse(team.resets_at) - Date.now()) / 1000)}.` });
  }
}

function refused(error) {
  back();
  const box = document.createElement("div");
  box.className = "alert alert-bad";
  box.setAttribute("role", "alert");
  box.tabIndex = -1;
  const words = document.createElement("p");
  words.textContent = reasonOf(error);
  box.append(words);
  if (error instanceof Refused && error.problem.code === "too-many-uploads") {
    const link = document.createElement("a");
    link.href = location.pathname;
    link.textContent = "Show the unfinished uploads.";
    words.append(" ", link);
  }
  form.before(box);
  box.focus();
}

function reasonOf(error) {
  if (error instanceof Refused) return error.message;
  if (!(error instanceof Interrupted)) return "The file could not be read.";
  return `${error.message} The uploaded part is kept: choose the same file again to resume.`;
}

function back() {
  for (const old of form.parentElement.querySelectorAll(":scope > .alert-bad")) old.remove();
  at("sending").hidden = true;
  form.hidden = false;
  document.title = document.title.replace(/^\d+ % · /, "");
  at("file").focus();
}

function nameUnfinished() {
  const names = namesById();
  for (const item of document.querySelectorAll("[data-upload]")) {
    const name = names.get(item.dataset.upload);
    if (!name) continue;
    const strong = document.createElement("strong");
    strong.textContent = `${name}: `;
    item.prepend(strong);
  }
}
