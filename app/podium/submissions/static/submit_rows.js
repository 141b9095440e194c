// The rows of a file: those of lists, of pairs and of tables, line by line.
import {
  advice,
  fieldsOf,
  hasThousands,
  isItem,
  isNothing,
  isNumber,
  isText,
  isWhole,
  quoted,
  said,
  spellingHint,
  wholeHint,
} from "./submit_text.js";

const PRINTED_LIST = /\[[^[\],]*,[^[\]]*\]|\[[^ \t|;[\]]*\]/;
const WHOLE_LIST = /^(\[[^[\],]*,[^[\]]*\]|\[[^ \t|;[\]]*\])$/;
const SEPARATORS = { ",": "commas", "\t": "tabs", "|": "“|”", ";": "semicolons" };
const LARGEST = 1e100;
const READERS = { lists: listProblems, pairs: pairProblems, tables: tableProblems };

/** The problems of a line that is not blank; `seen` has the ids before it. */
export function rowProblems(line, number, columns, facts, seen) {
  return problemsIn(line, number, columns, facts, seen).map(([code, text, hint]) => said(code, number, text, hint));
}

function problemsIn(line, number, columns, facts, seen) {
  if (line.includes("\r")) {
    return [["line-endings", "a carriage return (CR) stands where no line ends", advice(facts, "LINE_ENDS")]];
  }
  if (!/[^ \t]/.test(line)) return [["blank-line", "the line holds only spaces", advice(facts, "SPACES_ALONE")]];
  if (line.includes("\x1a")) {
    return [["bad-character", "the line holds the character 0x1A (Ctrl-Z)", advice(facts, "CTRL_Z")]];
  }
  const { fields, problem } = fieldsOf(line, facts);
  if (problem) return [problem];
  if (fields.length !== columns.length) {
    const count = fields.length === 1 ? "1 field" : `${fields.length} fields`;
    const isListed = facts.form === "lists" && PRINTED_LIST.test(line);
    const hint = isListed ? advice(facts, "PYTHON_LIST") : facts.rowHint;
    return [["row-shape", `${quoted(line)} has ${count} instead of ${columns.length}`, hint]];
  }
  const values = facts.names.map((name) => fields[columns.indexOf(name)]);
  return READERS[facts.form](values, number, facts, seen);
}

/** The problem of an id that was seen before, in a list. */
function seenBefore(id, number, seen, hint) {
  if (seen.has(id)) {
    const text = `${quoted(id)} occurs twice: on line ${seen.get(id)} and on line ${number}`;
    return [["duplicate-id", text, hint(seen.get(id))]];
  }
  seen.set(id, number);
  return [];
}

function listProblems([id, labels], number, facts, seen) {
  const found = queryProblem(id, facts);
  const wrong = itemsProblem(labels, facts);
  if (found) return wrong ? [found, wrong] : [found];
  const isLong = (first) => first === number - 1 && !wrong && labels.trim() && !labels.trim().includes(" ");
  const twice = seenBefore(id, number, seen, (first) =>
    [advice(facts, "ID_ONCE"), ...(isLong(first) ? [advice(facts, "ITEMS_TOGETHER")] : [])].join(" "),
  );
  const repeated = wrong || facts.duplicates !== "reject" ? [] : repetition(labels, facts);
  return [...twice, ...(wrong ? [wrong] : []), ...repeated];
}

function queryProblem(id, facts) {
  const names = facts.objectives ? facts.objectives.split(",") : [""];
  const isOfText = facts.queryIds === "string";
  const at = !facts.objectives ? id.length : isOfText ? id.lastIndexOf("_") : id.indexOf("_");
  const [session, name] = at < 0 ? (isOfText ? ["", id] : [id, ""]) : [id.slice(0, at), id.slice(at + 1)];
  const isGood = isOfText ? isText(session) : isWhole(session);
  if (isGood && names.includes(name)) return null;
  const form = wholeHint(session) ?? (isOfText ? "TEXT_QUERY" : "WHOLE_QUERY");
  const hint = isGood
    ? advice(facts, "OBJECTIVE", names.join(", "))
    : advice(facts, form, ["42", names[0]].filter(Boolean).join("_"));
  return ["bad-id", `${quoted(id)} is not an id`, hint];
}

function itemsProblem(labels, facts) {
  const items = labels.split(" ").filter(Boolean);
  const bad = items.find((item) => !isItem(item, facts.itemIds));
  if (bad === undefined) return null;
  const hint = WHOLE_LIST.test(labels.trim()) ? advice(facts, "PYTHON_LIST") : itemHint(bad, items.length > 1, facts);
  return ["bad-label", `${quoted(bad)} is not an item id`, hint];
}

function itemHint(item, isOfSeveral, facts) {
  if (isOfSeveral && hasThousands(item)) return advice(facts, "THOUSANDS");
  const sign = Object.keys(SEPARATORS).find((each) => item.includes(each));
  if (sign) return advice(facts, "SPACES_BETWEEN", SEPARATORS[sign]);
  if (/^[[({]|[\])}]$/.test(item)) return advice(facts, "BRACKETS");
  if (facts.itemIds === "string") return advice(facts, "TEXT_ITEMS");
  if (item.startsWith("-")) return advice(facts, "NEGATIVE_ITEM");
  if (/^(nan|none|null|na|n\/a|nil|inf|-inf)$/.test(item.toLowerCase())) return advice(facts, "NO_ITEM");
  return advice(facts, wholeHint(item) ?? "WHOLE_ITEMS");
}

function repetition(labels, facts) {
  const canonical = (item) => (facts.itemIds === "string" ? item : item.replace(/^0+(?=[0-9])/, ""));
  const counted = labels.split(" ").filter(Boolean).map(canonical).slice(0, Number(facts.depth));
  const twice = counted.find((item, at) => counted.indexOf(item) < at);
  if (twice === undefined) return [];
  const text = `${quoted(twice)} occurs twice among the first ${Number(facts.depth).toLocaleString("en")} items`;
  return [["duplicate-label", text, advice(facts, "ITEM_ONCE")]];
}

function pairProblems(values, number, facts, seen) {
  const count = values.length - Number(facts.numbers);
  const ids = values.slice(0, count);
  const roles = facts.roles.split(",");
  const wrong = ids.map((id, at) => pairIdProblem(id, roles[at], facts)).filter(Boolean);
  const numbers = values.slice(count).map((text) => numberProblem(text, facts)).filter(Boolean);
  const canonical = ids.map((id, at) => (kindOf(roles[at], facts) === "string" ? id : String(Number(id))));
  const twice = wrong.length ? [] : seenBefore(canonical.join(", "), number, seen, () => advice(facts, "PAIR_ONCE"));
  return [...wrong, ...numbers, ...twice];
}

function kindOf(role, facts) {
  return { user: facts.queryIds, item: facts.itemIds, context: facts.contextIds }[role];
}

function pairIdProblem(id, role, facts) {
  const kind = kindOf(role, facts);
  if (kind === "string" ? isText(id) : role === "item" ? isItem(id, kind) : isWhole(id)) return null;
  const found = wholeHint(id);
  if (kind === "string") {
    return ["bad-id", `${quoted(id)} is not the id of a ${role}`, advice(facts, found ?? "TEXT_ID")];
  }
  if (role === "item") return ["bad-id", `${quoted(id)} is not an item id`, advice(facts, found ?? "WHOLE_ITEM")];
  return ["bad-id", `${quoted(id)} is not a ${role}`, advice(facts, found ?? "WHOLE_USER", role)];
}

function numberProblem(text, facts) {
  if (!isNumber(text)) {
    const hint = isNothing(text) ? "NO_NUMBER" : spellingHint(text) ?? "DECIMAL";
    return ["bad-label", `${quoted(text)} is not a number`, advice(facts, hint)];
  }
  const isProbability = facts.probabilities === "1";
  if (isProbability && !(Number(text) >= 0 && Number(text) <= 1)) {
    return ["bad-label", `${quoted(text)} is not a probability`, advice(facts, "PROBABILITY", "0", "1")];
  }
  if (Math.abs(Number(text)) <= LARGEST) return null;
  return ["bad-label", `${quoted(text)} is too large a number`, advice(facts, "NUMBER_RANGE", "-1e+100", "1e+100")];
}

function tableProblems([id, ...values], number, facts, seen) {
  const plain = (text) => text.replaceAll('""', '"');
  const isOfText = facts.queryIds === "string";
  const form = wholeHint(id) ?? (isOfText ? "TEXT_ID" : "WHOLE_ID");
  const first = (isOfText ? isText(id) : isWhole(id))
    ? seenBefore(id, number, seen, () => advice(facts, "ID_ONCE"))
    : [["bad-id", `${quoted(id)} is not an id`, advice(facts, form)]];
  const found = values.map((text, at) => fieldProblem(plain(text), facts.table[at], facts));
  return [...first, ...found.filter(Boolean)];
}

function fieldProblem(text, column, facts) {
  const bad = (words, hint, ...filled) => [
    "bad-label",
    `${column.name}: ${words}`,
    hint ? advice(facts, hint, ...filled) : "",
  ];
  if (!text) return column.takes_empty ? null : bad("the field is empty", "FIELD_MISSING");
  return FIELDS[column.type](text, column, bad);
}

const FIELDS = { number: numeric, integer: whole, boolean: truth, category, labels, text: () => null };

function numeric(text, column, bad) {
  if (!isNumber(text)) return bad(`${quoted(text)} is not a number`, ...numericHint(text, column));
  if (!Number.isFinite(Number(text))) {
    return bad(`${quoted(text)} is too large a number`, "NUMBER_RANGE", "-1.797e308", "1.797e308");
  }
  return outside(text, column, bad);
}

function whole(text, column, bad) {
  if (!/^[+-]?[0-9]{1,63}$/.test(text)) {
    const isFloat = /^[+-]?[0-9]+\.0*$/.test(text);
    const hint = isFloat ? ["AS_INTEGERS"] : isNumber(text) ? ["WHOLE_NUMBER"] : numericHint(text, column);
    return bad(`${quoted(text)} is not a whole number`, ...hint);
  }
  const [least, largest] = [-(2n ** 63n), 2n ** 63n - 1n];
  const number = BigInt(text.replace(/^\+/, ""));
  if (number < least || number > largest) {
    return bad(`${quoted(text)} is too large a number`, "INTEGER_RANGE", String(least), String(largest));
  }
  return outside(text, column, bad);
}

function outside(text, column, bad) {
  const { name, minimum = null, maximum = null } = column;
  const isLow = minimum !== null && Number(text) < minimum;
  if (!isLow && !(maximum !== null && Number(text) > maximum)) return null;
  const problem = bad(`${quoted(text)} is out of range`);
  if (minimum !== null && maximum !== null) problem[2] = `${name} lies between ${minimum} and ${maximum}.`;
  else problem[2] = minimum === null ? `${name} is at most ${maximum}.` : `${name} is at least ${minimum}.`;
  return problem;
}

function numericHint(text, column) {
  if (isNothing(text)) return [column.is_optional ? "FIELD_OPTIONAL" : "FIELD_NOTHING"];
  const spelling = spellingHint(text);
  if (spelling) return [spelling];
  return [/^(true|false)$/i.test(text) ? "TRUTH_NUMBER" : "DECIMAL"];
}

function truth(text, column, bad) {
  if (/^(true|True|TRUE|1|false|False|FALSE|0)$/.test(text)) return null;
  return bad(`${quoted(text)} is neither true nor false`, column.is_optional ? "TRUTH_OPTIONAL" : "TRUTH_VALUE");
}

function labels(text, column, bad) {
  const found = text.split(" ").filter(Boolean).sort();
  const twice = found.find((label, at) => label === found[at + 1]);
  if (twice !== undefined) return bad(`the label ${quoted(twice)} occurs twice`, "LABELS");
  const other = column.values.length ? found.find((label) => !column.values.includes(label)) : undefined;
  return other === undefined ? null : bad(`${quoted(other)} is not one of the labels`);
}

function category(text, column, bad) {
  if (column.values.includes(text)) return null;
  const same = column.values.find((value) => value.toLowerCase() === text.trim().toLowerCase());
  const words = `${quoted(text)} is not one of the categories`;
  return same === undefined ? bad(words) : bad(words, "CATEGORY_SPELLING", quoted(same));
}
