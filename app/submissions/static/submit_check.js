// Looks at a file before anything of it is sent: what kind it is, its header, its first rows, how
// many rows there are. The server decides; this only spares people the way to a plain refusal.
const SAMPLE_BYTES = 65536;
const COUNTED_BYTES = 8 << 20;
const SHOWN = 10;

const SUPPORTED = "Send CSV (plain, gzip, zstd or zip) in UTF-8, or Parquet.";
const PYTHON_LIST = "This looks like a Python list. Write ' '.join(map(str, items)).";

const KINDS = [
  [[0x1f, 0x8b], "gzip"],
  [[0x28, 0xb5, 0x2f, 0xfd], "zstd"],
  [[0x50, 0x4b, 0x03, 0x04], "zip"],
  [[0x50, 0x41, 0x52, 0x31], "Parquet"],
];

const NOT_READ = [
  [[0xfd, 0x37, 0x7a, 0x58, 0x5a], "xz"],
  [[0x42, 0x5a, 0x68], "bzip2"],
  [[0x37, 0x7a, 0xbc, 0xaf], "7z"],
  [[0x52, 0x61, 0x72, 0x21], "rar"],
  [[0x89, 0x50, 0x4e, 0x47], "a PNG picture"],
  [[0xff, 0xd8, 0xff], "a JPEG picture"],
  [[0x25, 0x50, 0x44, 0x46], "a PDF document"],
  [[0xd0, 0xcf, 0x11, 0xe0], "an Excel or Word document"],
  [[0xff, 0xfe], "UTF-16 text"],
  [[0xfe, 0xff], "UTF-16 text"],
];

/** {kind, problems: [{line, text, hint}], rows, isWhole}; `facts` is the form's dataset. */
export async function lookAt(file, facts) {
  const head = new Uint8Array(await file.slice(0, SAMPLE_BYTES).arrayBuffer());
  if (!file.size) return found("empty", [said(null, "The file is empty.")]);
  if (file.size > Number(facts.maxBytes)) {
    return found("large", [said(null, "The file is larger than allowed.", "Compress it.")]);
  }
  const foreign = named(head, NOT_READ);
  if (foreign) {
    return found(foreign, [said(1, `The file is ${foreign}, which is not supported.`, SUPPORTED)]);
  }
  const kind = named(head, KINDS) ?? "CSV";
  if (kind === "CSV") return found(kind, problemsIn(head, file.size > head.length, facts));
  if (kind !== "gzip" || !globalThis.DecompressionStream) return found(kind, []);
  const text = await unpacked(file).catch(() => null);
  if (text === null) return found(kind, [said(null, "The gzip file cannot be unpacked.")]);
  return found(kind, problemsIn(text, true, facts));
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
export function rowsProblem(rows, facts) {
  const wanted = Number(facts.rows);
  if (rows > wanted) {
    return said(null, `The file has ${shown(rows)} rows, and only ${shown(wanted)} ids are published.`);
  }
  // A list for each query answers several candidates.
  if (facts.task === "rerank" && rows < wanted) return null;
  if (rows < wanted && facts.missing === "reject") {
    const text = `The file has ${shown(rows)} rows, and ${shown(wanted)} ids need one each.`;
    return said(null, text, isRanking(facts) ? "Rows without predictions may have empty labels." : "");
  }
  return null;
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

function problemsIn(bytes, isCut, facts) {
  const end = isCut ? bytes.lastIndexOf(10) + 1 || bytes.length : bytes.length;
  let text;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes.subarray(0, end));
  } catch {
    return [said(1, "The beginning of the file is not UTF-8.", "Save it as UTF-8.")];
  }
  if (text.includes("\0")) return [said(1, "The file is not text.", SUPPORTED)];
  if (/^\s*</.test(text)) return [said(1, "The file looks like HTML or XML.", "Is it a saved error page?")];
  const lines = text.split("\n").map((line) => line.replace(/\r$/, ""));
  if (lines.at(-1) === "") lines.pop();
  const columns = facts.columns.split(",");
  const header = fieldsOf(lines[0] ?? "");
  if (isRun(lines[0], facts) || isOfLists(header, facts)) return [];
  if ([...header].sort().join() !== [...columns].sort().join()) {
    return [said(1, `The header must be “${facts.columns}”.`, headerHint(lines[0] ?? "", header, columns))];
  }
  if (lines.length === 1) return [said(1, "The file has a header and no rows.", "Add a row for each id.")];
  const order = columns.map((name) => header.indexOf(name));
  const seen = new Map();
  const problems = [];
  for (let at = 1; at < lines.length && problems.length < SHOWN; at += 1) {
    const problem = rowProblem(lines[at], at + 1, order, facts, seen);
    if (problem) problems.push(problem);
  }
  return problems;
}

function headerHint(line, header, columns) {
  if (line.includes(";")) return "The columns are separated by semicolons. Use commas.";
  if (line.includes("\t")) return "The columns are separated by tabs. Use commas.";
  if (header.length === columns.length + 1) return "With pandas, write with index=False.";
  if (/^"?\d/.test(line)) return "The header is missing: the first line is a row.";
  for (const [sign, name] of [["|", "“|”"], [" ", "spaces"]]) {
    const parts = line.replaceAll('"', "").split(sign).map((part) => part.trim());
    if (parts.sort().join() === [...columns].sort().join()) {
      return `The columns are separated by ${name}. Use commas.`;
    }
  }
  return `The first line is “${line.slice(0, 60)}”.`;
}

function rowProblem(line, number, order, facts, seen) {
  if (line === "") return said(number, "The line is blank.", "Remove it.");
  const fields = fieldsOf(line);
  if (fields.length !== order.length) {
    const text = `The line has ${fields.length} fields instead of ${order.length}.`;
    if (!isRanking(facts)) return said(number, text);
    const isList = /\[[^[\]]*\]/.test(line);
    return said(number, text, isList ? PYTHON_LIST : "Separate items by spaces, not by commas.");
  }
  const values = order.map((place) => fields[place]);
  if (facts.task === "table") return seenBefore(values[0], number, seen);
  const numbers = Number(facts.numbers);
  const id = values.slice(0, numbers ? -numbers : -1).join(",");
  const wrong = numbers ? numberProblem(values.slice(-numbers), facts) : rankingProblem(values, facts);
  return wrong ? said(number, ...wrong) : seenBefore(id, number, seen);
}

function seenBefore(id, number, seen) {
  if (seen.has(id)) return said(number, `“${id}” is on line ${seen.get(id)} already.`);
  seen.set(id, number);
  return null;
}

function rankingProblem([id, labels], facts) {
  const names = facts.objectives ? facts.objectives.split(",") : [];
  const end = names.find((name) => id.endsWith(`_${name}`));
  if (names.length && !end) {
    return [`“${id.slice(0, 40)}” is no id.`, `Ids end with ${names.map((name) => `_${name}`).join(", ")}.`];
  }
  const session = end ? id.slice(0, -end.length - 1) : id;
  if (facts.queryIds === "integer" && !/^(0|[1-9]\d*)$/.test(session)) {
    return [`“${id.slice(0, 40)}” is no id.`, "It begins with a number without leading zeros."];
  }
  if (labels === "") return null;
  const bad = labels.split(" ").find((item) => !isItem(item, facts));
  if (bad === undefined) return null;
  if (/^\[[^[\]]*\]$/.test(labels.trim())) return [`“${bad.slice(0, 40)}” is no item.`, PYTHON_LIST];
  return bad === ""
    ? ["There are spaces too many between the items.", "Use single spaces, none at the ends."]
    : [`“${bad.slice(0, 40)}” is no item.`, facts.itemIds === "integer" ? "Items are whole numbers." : ""];
}

function isItem(item, facts) {
  return facts.itemIds === "integer" ? /^(0|[1-9]\d{0,9})$/.test(item) : item !== "";
}

function numberProblem(numbers, facts) {
  const bad = numbers.find((text) => text.trim() === "" || !Number.isFinite(Number(text)));
  if (bad !== undefined) return [`“${bad.slice(0, 40)}” is no number.`];
  const outside = facts.probabilities === "1" && numbers.find((text) => Number(text) < 0 || Number(text) > 1);
  return outside ? [`“${outside.slice(0, 40)}” is no probability.`, "Probabilities lie from 0 to 1."] : null;
}

function isRanking(facts) {
  return facts.task === "ranking";
}

/** True for a row per query, with its candidates from the best on; the server looks at these. */
function isOfLists(header, facts) {
  return facts.task === "rerank" && header.length === 2 && header.includes(facts.columns.split(",")[0]);
}

function isRun(line, facts) {
  return !facts.objectives && isRanking(facts) && /^\S+\s+Q0\s+\S+\s+\S+\s+\S+\s+\S+$/.test(line);
}

function fieldsOf(line) {
  const fields = [];
  for (const [, quoted, plain] of line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)) {
    fields.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
  }
  return fields;
}

function named(head, kinds) {
  const match = kinds.find(([magic]) => magic.every((byte, at) => head[at] === byte));
  return match ? match[1] : null;
}

function found(kind, problems) {
  return { kind, problems };
}

function said(line, text, hint = "") {
  return { line, text, hint };
}

function shown(count) {
  return count.toLocaleString("en");
}
