// The first line of a file: whether it names the columns, and else what is wrong with it.
import { advice, fieldsOf, quoted, said } from "./submit_text.js";

const COUNTS = { 2: "two", 3: "three", 4: "four" };

/** {columns: names in the order of the file}, {skipped: true} for a form that only the server reads,
 * or {problem}. */
export function headerOf(lines, facts) {
  const line = lines[0] ?? "";
  const columns = facts.columns.split(",");
  const { fields } = fieldsOf(line, facts);
  if (fields && equal(fields, columns)) return { columns: fields };
  if (isRun(line) && !facts.objectives && facts.form === "lists") return { skipped: true };
  if (fields && facts.orderColumn && equal(fields, [columns[0], facts.orderColumn])) return { skipped: true };
  return { problem: headerProblem(line, lines.slice(1), columns, facts) };
}

function headerProblem(line, rows, columns, facts) {
  const foreign = /[\x00-\x08\x0b\x0c\x0e-\x1f]/.test([line, ...rows].join("\n").slice(0, 4096));
  if (foreign) return said("not-csv", 1, "the file is not text", advice(facts, "SEND_TEXT"));
  if (/^\s*</.test(line)) return said("not-csv", 1, "the file is HTML or XML, not CSV", advice(facts, "ERROR_PAGE"));
  if (line.includes("\r")) return said("line-endings", 1, "the lines end with CR alone", advice(facts, "LINE_ENDS"));
  const text = `the header must be ${quoted(facts.columns)}, found ${quoted(line)}`;
  return said("header-mismatch", 1, text, headerHint(line, rows, columns, facts));
}

function headerHint(line, rows, columns, facts) {
  const fields = line.split(",").map(bare);
  const separator = separatorOf(line, columns);
  const words = line.split(/[ \t]+/).filter(Boolean).length;
  const known = [
    [line === "", ["BLANK_FIRST"]],
    [line.startsWith("\ufeff"), ["TWO_MARKS"]],
    [line.slice(0, 4).toLowerCase() === "sep=", ["SEP_LINE"]],
    [/^[{[]/.test(line), ["JSON"]],
    [isRun(line), ["RUN_MISPLACED"]],
    [!line.includes(",") && words >= 4 && words <= 8, ["NO_RUN", "topic Q0 docno rank score tag"]],
    [separator, ["SEPARATED", separator]],
    [fields.length === columns.length + 1 && ["", "Unnamed: 0", "index"].includes(fields[0]), ["INDEX_COLUMN"]],
    [/^"?[0-9]+(_[^,]*)?"?(,[-+0-9. "]*)+$/.test(line), ["NO_HEADER"]],
    [new Set(fields).size !== fields.length, ["NAME_TWICE"]],
    [fields.length > columns.length && columns.every((name) => fields.includes(name)), ["SURPLUS_COLUMNS"]],
    [equal(fields.map(lower), columns.map(lower)), ["EXACT_NAMES"]],
  ];
  const found = known.find(([applies]) => applies);
  if (found) return advice(facts, ...found[1]);
  const long = longForm(fields, rows, facts);
  if (long) return long;
  const missing = columns.filter((name) => !fields.includes(name));
  const others = fields.filter((name) => !columns.includes(name));
  if (fields.length === columns.length && missing.length === 1 && others[0]) {
    return advice(facts, "RENAME", quoted(others[0]), quoted(missing[0]));
  }
  if (missing.length < columns.length) {
    const names = missing.slice(0, 3).map(quoted).join(", ") + (missing.length > 3 ? ", …" : "");
    return advice(facts, missing.length === 1 ? "COLUMN_MISSING" : "COLUMNS_MISSING", names);
  }
  return advice(facts, "EXACT_COLUMNS", COUNTS[columns.length] ?? String(columns.length));
}

function separatorOf(line, columns) {
  if (line.includes(";")) return "semicolons";
  if (line.includes("\t")) return "tabs";
  for (const [sign, name] of [["|", "“|”"], [" ", "spaces"]]) {
    const parts = line.toLowerCase().split(sign).map(bare).filter(Boolean);
    if (equal(parts, columns.map(lower))) return name;
  }
  return "";
}

const ITEM =
  /^((item|article|product|movie|track|song|artist|book|news|video|doc|document|business|recipe|game|poi|location|candidate|prediction|recommendation)s?[ _-]?(id|no|nr|code)?|aid|iid|docno|(parent_)?asin|sku)$/i;
const ORDER = /^(score|rank|rating|prediction|pred|prob|probability|relevance)$/i;
const PLAIN = /^[A-Za-z0-9_.:-]+$/;
const LONGEST_TEXT = 280;

/** The advice for a file with one item a row, where a row is a list; else "". */
function longForm(names, lines, facts) {
  const [idColumn, labels] = facts.columns.split(",");
  if (facts.form !== "lists" || facts.objectives || names.length < 2 || names.includes(labels)) return "";
  const idAt = Math.max(0, names.indexOf(idColumn));
  const others = names.map((_, at) => at).filter((at) => at !== idAt);
  const named = others.filter((at) => ITEM.test(names[at]));
  const itemAt = named[0] ?? others[0];
  const rows = lines.filter(Boolean).map((line) => line.split(",").map(bare));
  if (rows.some((row) => row.length !== names.length || row[itemAt].includes(" "))) return "";
  const repeats = new Set(rows.map((row) => row[idAt])).size < rows.length;
  if (!repeats && !(named.length && names.length > 2)) return "";
  const order = names[others.find((at) => ORDER.test(names[at]))] ?? "";
  const ordered = order && `.sort_values("${order}", ascending=${lower(order) === "rank" ? "True" : "False"})`;
  const label = names[idAt] === idColumn ? "" : `, index_label="${idColumn}"`;
  const code =
    `df${ordered}.groupby("${names[idAt]}")["${names[itemAt]}"].agg(lambda s: " ".join(map(str, s)))` +
    `.rename("${labels}").to_csv("lists.csv"${label})`;
  const hint = `${advice(facts, "LONG_FORM")} pandas: ${code}`;
  const isPlain = [names[idAt], names[itemAt], order].filter(Boolean).every((name) => PLAIN.test(name));
  return isPlain && hint.length <= LONGEST_TEXT ? hint : advice(facts, "LONG_FORM");
}

function isRun(line) {
  const fields = line.split(/[ \t]+/).filter(Boolean);
  const isScored = /^[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]{1,4})?$/.test(fields[4] ?? "");
  return fields.length === 6 && (!line.includes(",") || isScored);
}

function equal(some, others) {
  return some.length === others.length && [...some].sort().join("\n") === [...others].sort().join("\n");
}

function bare(field) {
  return field.replace(/^[" ]+|[" ]+$/g, "").trimEnd();
}

function lower(text) {
  return text.toLowerCase();
}
