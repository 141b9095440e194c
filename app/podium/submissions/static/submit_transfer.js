// Sends a file in pieces to a resumable upload and goes on after whatever interrupts it. Knows
// nothing of the page: it tells what happens through the functions that it is given.
import { SILENT, SILENT_SECONDS, endWhenSilent } from "./silence.js";
import { forget, keyOf, recall, remember } from "./submit_memory.js";

const MIN_PIECE = 8 << 20;
const MAX_PIECE = 32 << 20;
const PIECE_SECONDS = 8;
const PAUSES = [1, 2, 4, 8, 15];
const UPLOADS = "/api/v1/uploads";

// A large file is put together before it is answered.
const SUBMIT_SECONDS = 300;

/** What the server refuses for good: a problem document. */
export class Refused extends Error {
  constructor(problem) {
    super(problem.detail ?? "The server refused the file.");
    this.problem = problem;
  }
}

/** What may mend itself: a lost connection, or a server that is away. */
export class Interrupted extends Error {}

export class Transfer {
  /** `tell` has the functions progress(sent, total) and waiting(seconds, why), going(offset). */
  constructor(file, tell) {
    this.file = file;
    this.tell = tell;
    this.isPaused = false;
    this.isOver = false;
    this.piece = MIN_PIECE;
    this.failures = 0;
  }

  /** Sends what is missing; answers the upload's id, or null after `stop`. */
  async run() {
    this.key = await keyOf(this.file);
    this.id = recall(this.key);
    let offset = null;
    while (!this.isOver) {
      await this.untilWanted();
      if (this.isOver) return null;
      try {
        if (offset === null) {
          offset = await this.offset();
          this.tell.going(offset);
          this.tell.progress(offset, this.file.size);
        }
        if (offset === this.file.size) return this.id;
        offset = await this.sendPiece(offset);
        this.failures = 0;
      } catch (error) {
        if (!(error instanceof Interrupted)) throw error;
        offset = null;
        if (!this.isPaused && !this.isOver) await this.waitAfter(error.message);
      }
    }
    return null;
  }

  pause() {
    this.isPaused = true;
    this.request?.abort();
  }

  resume() {
    this.isPaused = false;
    this.failures = 0;
    this.wake?.();
  }

  /** Ends for good; the server forgets what came. */
  async stop() {
    this.isOver = true;
    this.request?.abort();
    this.wake?.();
    forget(this.key);
    if (this.id) await ask("DELETE", `${UPLOADS}/${this.id}`).catch(() => null);
  }

  /** How far the remembered upload has come; a new one is made where there is none. */
  async offset() {
    if (this.id) {
      const answer = await ask("GET", `${UPLOADS}/${this.id}`);
      if (answer.ok) {
        const upload = answer.document;
        // The server has not noticed yet that an earlier connection is gone.
        if (upload.busy) throw new Interrupted("The server still waits for the lost connection.");
        if (upload.length === this.file.size) return upload.offset;
      } else if (answer.status !== 404) {
        refuse(answer);
      }
    }
    const answer = await ask("POST", UPLOADS, { "Upload-Length": String(this.file.size) });
    if (!answer.ok) refuse(answer);
    this.id = answer.document.id;
    remember(this.key, this.id);
    return 0;
  }

  sendPiece(offset) {
    const body = this.file.slice(offset, offset + this.piece);
    const request = (this.request = new XMLHttpRequest());
    const began = performance.now();
    request.open("PATCH", `${UPLOADS}/${this.id}`);
    request.setRequestHeader("Upload-Offset", String(offset));
    request.setRequestHeader("Content-Type", "application/partial-upload");
    request.upload.onprogress = (event) =>
      this.tell.progress(offset + event.loaded, this.file.size);
    return new Promise((resolve, reject) => {
      let why = "The connection was lost.";
      endWhenSilent(request, () => (why = SILENT));
      request.onerror = request.onabort = () => reject(new Interrupted(why));
      request.onload = () => {
        if (request.status === 204) {
          this.adapt(body.size, performance.now() - began);
          resolve(Number(request.getResponseHeader("Upload-Offset")));
        } else {
          reject(this.reasonOf(request));
        }
      };
      request.send(body);
    });
  }

  /** A cut that mends itself, or a refusal for good. */
  reasonOf(request) {
    const problem = parsed(request.responseText);
    if (request.status === 404 || request.status === 409) return new Interrupted(problem.detail);
    if (request.status === 408 || request.status >= 500) {
      return new Interrupted(problem.detail ?? `The server answered ${request.status}.`);
    }
    return new Refused(problem);
  }

  adapt(bytes, milliseconds) {
    const wanted = (bytes / Math.max(1, milliseconds)) * 1000 * PIECE_SECONDS;
    this.piece = Math.min(MAX_PIECE, Math.max(MIN_PIECE, Math.round(wanted)));
  }

  async waitAfter(why) {
    const seconds = PAUSES[Math.min(this.failures, PAUSES.length - 1)];
    this.failures += 1;
    this.tell.waiting(seconds, why);
    await new Promise((resolve) => {
      this.wake = resolve;
      addEventListener("online", resolve, { once: true });
      setTimeout(resolve, seconds * 1000);
    });
  }

  async untilWanted() {
    while (this.isPaused && !this.isOver) await new Promise((resolve) => (this.wake = resolve));
  }
}

/** Makes a submission of a finished upload; answers its document. Asking again is harmless. */
export async function submitUpload(slug, id, filename, note) {
  const address = `/api/v1/competitions/${encodeURIComponent(slug)}/submissions`;
  const body = JSON.stringify({ upload_id: id, filename, note });
  for (let attempt = 0; ; attempt += 1) {
    try {
      const json = { "Content-Type": "application/json" };
      const answer = await ask("POST", address, json, body, SUBMIT_SECONDS);
      if (answer.ok) return answer.document;
      const problem = answer.document;
      const mends = problem.code === "upload-busy" || answer.status === 503;
      if (!mends || attempt >= 20) throw new Refused(problem);
    } catch (error) {
      if (!(error instanceof Interrupted) || attempt >= 20) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, 1000 * PAUSES[Math.min(attempt, 2)]));
  }
}

/** Asks the API: whether that was good, the status and the document. Throws `Interrupted`. */
export async function ask(method, address, headers, body, seconds = SILENT_SECONDS) {
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(), seconds * 1000);
  try {
    const answer = await fetch(address, { method, headers, body, signal: limit.signal });
    const document = parsed(await answer.text());
    return { ok: answer.ok, status: answer.status, document };
  } catch {
    throw new Interrupted(limit.signal.aborted ? SILENT : "The connection was lost.");
  } finally {
    clearTimeout(timer);
  }
}

function refuse(answer) {
  const problem = answer.document;
  if (answer.status >= 500) throw new Interrupted(problem.detail ?? "The server does not answer.");
  throw new Refused(problem);
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}
