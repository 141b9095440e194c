// Looks at a file before anything of it is sent: what kind it is, its header, its first rows, how
// many rows there are. The server decides; this only spares people the way to a plain refusal.
import { headerOf } from "./submit_header.js";
import { rowProblems } from "./submit_rows.js";
import { advice, namesOf, said } from "./submit_text.js";

const SAMPLE_BYTES = 65536;
const COUNTED_BYTES = 8 << 20;
const SHOWN = 10;

const KINDS = [
  [[0x1f, 0x8b], "gzip"],
  [[0x28, 0xb5, 0x2f, 0xfd], "zstd"],
  [[0x50, 0x4b, 0x03, 0x04], "zip"],
  [[0x50, 0x41, 0x52, 0x31], "Parquet"],
];

const PACKED = [
  [[0xfd, 0x37, 0x7a, 0x58, 0x5a], "xz"],
  [[0x42, 0x5a, 0x68], "bzip2"],
];

const NOT_READ = [
  [[0x37, 0x7a, 0xbc, 0xaf], "7z"],
  [[0x52, 0x61, 0x72, 0x21], "rar"],
  [[0xd0, 0xcf, 0x11, 0xe0], "an old Excel or Word file"],
];

const NOT_TEXT = [
  [[0x89, 0x50, 0x4e, 0x47], "a PNG picture"],
  [[0xff, 0xd8, 0xff], "a JPEG picture"],
  [[0x25, 0x50, 0x44, 0x46], "a PDF document"],
];

const WIDE = [
  [[0xff, 0xfe], "UTF-16"],
  [[0xfe, 0xff], "UTF-16"],
];

/** {kind, problems: [{code, line, text, hint}], rows, isWhole}; `dataset` is the form's. */
export async function lookAt(file, dataset) {
  const facts = factsOf(dataset);
  const head = new Uint8Array(await file.slice(0, SAMPLE_BYTES).arrayBuffer());
  const ids = Number(facts.numbers) ? "pair" : "id";
  if (!file.size) return found("empty", [said("empty-file", null, "The file is empty.", advice(facts, "NO_TEXT", ids))]);
  if (file.size > Number(facts.maxBytes)) {
    return found("large", [said("too-large", null, "The file is larger than allowed.", "Compress it.")]);
  }
  const form = otherForm(head, facts);
  if (form) return found(form, []);
  const foreign = foreignProblem(head, facts);
  if (foreign) return found("foreign", [foreign]);
  const kind = named(head, KINDS) ?? "CSV";
  if (kind === "CSV") {
    const { problems, form: words } = problemsIn(head, file.size > head.length, facts);
    return found(words ?? kind, problems);
  }
  if (kind !== "gzip" || !globalThis.DecompressionStream) return found(kind, []);
  const text = await unpacked(file).catch(() => null);
  if (text === null) return found(kind, [said("archive-corrupt", null, "The gzip file cannot be unpacked.")]);
  return found(kind, problemsIn(text, true, facts).problems);
}

/** The words for bytes of a form that the competition takes beside that of the sample; null for any other. */
function otherForm(head, facts) {
  const forms = facts.forms.split(",");
  const kinds = [...(forms.includes("containers") ? PACKED : []), ...(forms.includes("utf-16") ? WIDE : [])];
  return named(head, kinds);
}

function foreignProblem(head, facts) {
  const packed = named(head, [...PACKED, ...NOT_READ]);
  if (packed) {
    const text = `The file is ${packed}, which is not read here.`;
    return said("unsupported-media-type", null, text, advice(facts, "SEND_KNOWN", `: ${facts.foreign[packed]}`));
  }
  const wide = named(head, WIDE);
  if (wide) return said("encoding", 1, `The file is encoded as ${wide}.`, advice(facts, "SAVE_AS_UTF_8"));
  const picture = named(head, NOT_TEXT);
  return picture && said("not-csv", 1, `The file is ${picture}.`, advice(facts, "SEND_TEXT"));
}

/** Lines of a plain file after its header; null where `isWanted` says that nobody waits any more. */
export async function rowsOf(file, isWanted) {
  let lines = 0;
  let last = 10;
  for (let start = 0; start < file.size; start += COUNTED_BYTES) {
    if (!isWanted()) return null;
    const bytes = new Uint8Array(await file.slice(start, start + COUNTED_BYTES).arrayBuffer());
    for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) lines += 1;
    last = bytes.at(-1);
  }
  return Math.max(0, lines + (last === 10 ? 0 : 1) - 1);
}

/** What is wrong with a number of rows, or null. */
export function rowsProblem(rows, dataset) {
  const facts = factsOf(dataset);
  const wanted = Number(facts.rows);
  if (rows > wanted) {
    return said("too-many-rows", null, `The file has ${shown(rows)} rows, and only ${shown(wanted)} ids are published.`);
  }
  // A list for each query answers several candidates.
  if (facts.orderColumn && rows < wanted) return null;
  if (rows < wanted && facts.missing === "reject") {
    const text = `The file has ${shown(rows)} rows, and ${shown(wanted)} ids need one each.`;
    return said("missing-ids", null, text, facts.missingHint);
  }
  return null;
}

function factsOf(dataset) {
  const parsed = ["foreign", "hints", "table"].map((name) => [name, JSON.parse(dataset[name])]);
  const facts = { ...dataset, ...Object.fromEntries(parsed) };
  return { ...facts, names: namesOf(dataset.columns, facts) };
}

async function unpacked(file) {
  const reader = file.stream().pipeThrough(new DecompressionStream("gzip")).getReader();
  const text = new Uint8Array(SAMPLE_BYTES);
  let filled = 0;
  while (filled < SAMPLE_BYTES) {
    const { done, value } = await reader.read();
    if (done) break;
    text.set(value.subarray(0, SAMPLE_BYTES - filled), filled);
    filled = Math.min(SAMPLE_BYTES, filled + value.length);
  }
  await reader.cancel();
  return text.subarray(0, filled);
}

/** {problems, form: words for a form that only the server reads}. */
function problemsIn(bytes, isCut, facts) {
  const end = isCut ? bytes.lastIndexOf(10) + 1 || bytes.length : bytes.length;
  let text;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes.subarray(0, end));
  } catch {
    return { problems: [] }; // The server says where.
  }
  if (!/[^\r\n]/.test(text)) {
    const ids = Number(facts.numbers) ? "pair" : "id";
    const problem = said("empty-file", 1, "The file holds no text.", advice(facts, "NO_TEXT", ids));
    return { problems: isCut ? [] : [problem] };
  }
  const lines = text.split("\n").map((line) => line.replace(/\r$/, ""));
  if (lines.at(-1) === "") lines.pop();
  const { columns, skipped, problem } = headerOf(text.endsWith("\n") ? lines : text.split("\n"), facts);
  if (problem) return { problems: [problem] };
  if (skipped) return { problems: [], form: skipped };
  if (!isCut && lines.length === 1) {
    return { problems: [said("missing-ids", null, "The file has a header and no rows.", facts.missingHint)] };
  }
  return { problems: problemsOfRows(lines, columns, facts) };
}

function problemsOfRows(lines, columns, facts) {
  const seen = new Map();
  const problems = [];
  const blank = [];
  for (let at = 1; at < lines.length && problems.length < SHOWN; at += 1) {
    if (lines[at] === "") {
      blank.push(said("blank-line", at + 1, "the line is blank", advice(facts, "BLANK_LINE")));
    } else {
      problems.push(...blank.splice(0), ...rowProblems(lines[at], at + 1, columns, facts, seen));
    }
  }
  return problems.slice(0, SHOWN);
}

function named(head, kinds) {
  const match = kinds.find(([magic]) => magic.every((byte, at) => head[at] === byte));
  return match ? match[1] : null;
}

function found(kind, problems) {
  return { kind, problems };
}

function shown(count) {
  return count.toLocaleString("en");
}
