// The first line of a file: whether it names the columns, and else what is wrong with it.
import { advice, namesOf, quoted, said, written } from "./submit_text.js";

const RANKS = /^[!#-+\--~]{1,64}[ \t]+\[[0-9]{1,9}(, ?[0-9]{1,9})*\]$/;
const COUNTS = { 2: "two", 3: "three", 4: "four" };

/** {columns: names in the order of the file}, {skipped: words} for a form that only the server reads,
 * or {problem}. */
export function headerOf(lines, facts) {
  const line = lines[0] ?? "";
  const columns = facts.names;
  const fields = namesOf(line, facts);
  const form = otherForm(lines, columns, facts);
  if (form) return { skipped: form };
  if (fields && equal(fields, columns)) return { columns: fields };
  if (isRun(line) && !facts.objectives && facts.form === "lists") return { skipped: "TREC run" };
  if (fields && facts.orderColumn && equal(fields, [columns[0], facts.orderColumn])) return { skipped: "CSV" };
  return { problem: headerProblem(line, lines.slice(1), columns, facts) };
}

/** The words for a form that the competition takes beside that of the sample; "" for any other. */
function otherForm(lines, columns, facts) {
  const forms = facts.forms ? facts.forms.split(",") : [];
  if (forms.includes("candidate-ranks") && RANKS.test(lines[0])) return "ranks of candidates";
  const start = lines.find((line) => line.trim()) ?? "";
  if (forms.includes("json") && /^\s*[{[]/.test(start)) return "JSON";
  const signs = forms.includes("separators") ? [",", "\t", ";", "::"] : [","];
  for (const sign of signs) {
    const names = sign === "," ? roughFields(lines[0], columns, facts) : lines[0].split(sign).map(bare);
    if (forms.includes("item-rows") && isOfItems(names, lines, sign, columns, facts)) return "one item per row";
    if (equal(names, columns) && sign !== ",") return "CSV with other separators";
    if (equal(names, columns)) return forms.includes("cell-lists") && lines.slice(1).some(hasCellList) ? "lists in cells" : "";
    if (forms.includes("extra-columns") && columns.every((name) => names.includes(name))) return "CSV with further columns";
  }
  const first = bare(lines[0].split(/[,;\t]|::/)[0]);
  const isId = facts.queryIds === "string" ? lower(first) !== lower(columns[0]) : /^[0-9]+(_|$)/.test(first);
  return forms.includes("no-header") && isId ? "rows without a header" : "";
}

/** True for a row that may have a list with commas or semicolons, or in brackets. */
function hasCellList(line) {
  return /[[;]|"[^"]*,/.test(line);
}

/** True for names of an id, an item and perhaps its rank or score; of the columns of lists only where
 * these are the items, and an id has several rows. */
function isOfItems(names, lines, sign, columns, facts) {
  const [id, labels] = columns;
  const others = names.filter((name) => name !== id && name !== "rank" && name !== "score");
  if (!names.includes(id) || others.length !== 1 || names.length > 3) return false;
  if (others[0] !== labels) return others[0] === facts.itemColumn;
  if (names.length === 3) return true;
  if (labels !== facts.itemColumn) return false;
  const rows = lines.slice(1).filter(Boolean).map((line) => line.split(sign).map(bare));
  const ids = rows.map((row) => row[names.indexOf(id)]);
  return new Set(ids).size < ids.length && !rows.some((row) => row.some((field) => field.includes(" ")));
}

function headerProblem(line, rows, columns, facts) {
  const foreign = /[\x00-\x08\x0b\x0c\x0e-\x1f]/.test([line, ...rows].join("\n").slice(0, 4096));
  if (foreign) return said("not-csv", 1, "the file is not text", advice(facts, "SEND_TEXT"));
  const isPage = /^\s*</.test(line) && !columns.some((name) => name.startsWith("<"));
  if (isPage) return said("not-csv", 1, "the file is HTML or XML, not CSV", advice(facts, "ERROR_PAGE"));
  if (line.includes("\r")) return said("line-endings", 1, "the lines end with CR alone", advice(facts, "LINE_ENDS"));
  const text = `the header must be ${quoted(facts.columns)}, found ${quoted(line)}`;
  return said("header-mismatch", 1, text, headerHint(line, rows, columns, facts));
}

function headerHint(line, rows, columns, facts) {
  const fields = roughFields(line, columns, facts);
  const isSpaced = columns.some((name) => name.includes(" "));
  const separator = separatorOf(line, columns);
  const words = line.split(/[ \t]+/).filter(Boolean).length;
  const known = [
    [line === "", ["BLANK_FIRST"]],
    [line.startsWith("\ufeff"), ["TWO_MARKS"]],
    [line.slice(0, 4).toLowerCase() === "sep=", ["SEP_LINE"]],
    [/^[{[]/.test(line) && !columns.some((name) => name[0] === line[0]), ["JSON"]],
    [isRun(line) && !isSpaced, ["RUN_MISPLACED"]],
    [!line.includes(",") && !isSpaced && words >= 4 && words <= 8, ["NO_RUN", "topic Q0 docno rank score tag"]],
    [separator, ["SEPARATED", separator]],
    [fields.length === columns.length + 1 && ["", "Unnamed: 0", "index"].includes(fields[0]), ["INDEX_COLUMN"]],
    [/^"?[0-9]+(_[^,]*)?"?(,[-+0-9. "]*)+$/.test(line), ["NO_HEADER"]],
    [new Set(fields).size !== fields.length, ["NAME_TWICE"]],
    [fields.length > columns.length && columns.every((name) => fields.includes(name)), ["SURPLUS_COLUMNS"]],
    [equal(fields.map(lower), columns.map(lower)), ["EXACT_NAMES"]],
    [equal(fields.map(composed), columns.map(composed)), ["COMPOSED_NAMES"]],
  ];
  const found = known.find(([applies]) => applies);
  if (found) return advice(facts, ...found[1]);
  const long = longForm(fields, rows, facts);
  if (long) return long;
  const missing = columns.filter((name) => !fields.includes(name));
  const others = fields.filter((name) => !columns.includes(name));
  if (fields.length === columns.length && missing.length === 1 && others[0]) {
    return advice(facts, "RENAME", quoted(others[0]), written(missing[0]));
  }
  if (missing.length < columns.length) {
    const names = missing.slice(0, 3).map(written).join(", ") + (missing.length > 3 ? ", …" : "");
    return advice(facts, missing.length === 1 ? "COLUMN_MISSING" : "COLUMNS_MISSING", names);
  }
  return advice(facts, "EXACT_COLUMNS", COUNTS[columns.length] ?? String(columns.length));
}

function separatorOf(line, columns) {
  for (const [sign, name] of [[";", "semicolons"], ["\t", "tabs"]]) {
    if (line.includes(sign) && !columns.some((column) => column.includes(sign))) return name;
  }
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
  const [idColumn, labels] = facts.names;
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
  const label = names[idAt] === idColumn ? "" : `, index_label=${JSON.stringify(idColumn)}`;
  const code =
    `df${ordered}.groupby(${JSON.stringify(names[idAt])})["${names[itemAt]}"].agg(lambda s: " ".join(map(str, s)))` +
    `.rename(${JSON.stringify(labels)}).to_csv("lists.csv"${label})`;
  const hint = `${advice(facts, "LONG_FORM")} pandas: ${code}`;
  const foreign = [names[idAt], names[itemAt], order].filter((name) => name && name !== idColumn);
  const isPlain = foreign.every((name) => PLAIN.test(name));
  return isPlain && [...hint].length <= LONGEST_TEXT ? hint : advice(facts, "LONG_FORM");
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

/** The names in a header that is wrong. Quotes have a meaning only where a right name needs them. */
function roughFields(line, columns, facts) {
  const isQuoted = columns.some((name) => /[",]/.test(name));
  const fields = isQuoted ? namesOf(line, facts) : null;
  return fields ? fields.map((field) => field.replace(/^ +| +$/g, "")) : line.split(",").map(bare);
}

function composed(text) {
  return text.normalize("NFC");
}

function lower(text) {
  return text.toLowerCase();
}
