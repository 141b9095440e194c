// A line of a file, its fields, and what is said about them. Patterns, codes and hints are those of
// the server: what is said here must never be other than what the server will say.
export const MAX_ID = 2147483647;
const QUOTED_BYTES = 64;
const QUOTED_CHARACTERS = 120;

/** The advice by its name, its braces filled. */
export function advice(facts, name, ...values) {
  const [first, ...others] = facts.hints[name].split("{}");
  return others.reduce((text, part, at) => text + (values[at] ?? "{}") + part, first);
}

export function said(code, line, text, hint = "") {
  return { code, line, text, hint };
}

export function quoted(text) {
  const signs = [...text];
  let shown = "";
  let bytes = 0;
  for (const sign of signs) {
    const legible = /[ -~]|\p{L}/u.test(sign) ? sign : escaped(sign);
    bytes += new TextEncoder().encode(sign).length;
    if (bytes > QUOTED_BYTES || [...shown, ...legible].length > QUOTED_CHARACTERS) return `“${shown}”…`;
    shown += legible;
  }
  return `“${shown}”`;
}

/** A name of the competition in quotes, as it must stand in the file. */
export function written(name) {
  const field = /[",]/.test(name) ? `"${name.replaceAll('"', '""')}"` : name;
  return `“${[...field].map((sign) => (/ |[^\p{C}\p{Z}]/u.test(sign) ? sign : escaped(sign))).join("")}”`;
}

const ESCAPES = { "\t": "\\t", "\n": "\\n", "\r": "\\r" };

function escaped(sign) {
  const code = sign.codePointAt(0);
  const [letter, digits] = code < 0x100 ? ["x", 2] : code < 0x10000 ? ["u", 4] : ["U", 8];
  return ESCAPES[sign] ?? `\\${letter}${code.toString(16).padStart(digits, "0")}`;
}

/** The names in a header, or null where its quotes are wrong. */
export function namesOf(line, facts) {
  const { fields } = fieldsOf(line, facts);
  return fields ? fields.map((field) => field.replaceAll('""', '"')) : null;
}

/** {fields}, or {problem: [code, text, hint]} where quotes are wrong. Doubled quotes stay. */
export function fieldsOf(line, facts) {
  const fields = [];
  for (let at = 0; at <= line.length; ) {
    let end = line.indexOf(",", at);
    if (end < 0) end = line.length;
    let field = line.slice(at, end);
    if (line[at] === '"') {
      const match = /^"([^"]*(?:""[^"]*)*)"(?!")/.exec(line.slice(at));
      if (!match) return broken("a quote is opened and not closed on this line", "OPEN_QUOTE", line, at, facts);
      field = match[1];
      end = at + match[0].length;
      if (end < line.length && line[end] !== ",") return broken("a quote inside a field", "STRAY_QUOTE", line, at, facts);
    } else if (field.includes('"')) {
      return broken("a quote inside a field", "STRAY_QUOTE", line, at, facts);
    }
    fields.push(field);
    at = end + 1;
  }
  return { fields };
}

function broken(words, hint, line, at, facts) {
  return { problem: ["bad-quote", `${words}: ${quoted(line.slice(at))}`, advice(facts, hint)] };
}

export function isText(text) {
  return /^[!#-+\--~]{1,64}$/.test(text);
}

export function isWhole(text) {
  return /^(0|[1-9][0-9]{0,9})$/.test(text) && Number(text) <= MAX_ID;
}

export function isItem(text, kind) {
  return kind === "string" ? isText(text) : /^[0-9]{1,10}$/.test(text) && Number(text) <= MAX_ID;
}

export function hasThousands(text) {
  return /^[1-9][0-9]{0,2}(,[0-9]{3})+$/.test(text);
}

/** The name of the advice for a whole number that a program spelled as another, or null. */
export function wholeHint(text) {
  if (/^[0-9]+\.0*$/.test(text)) return "AS_INTEGERS";
  if (/^[0-9](\.[0-9]+)?[eE]\+?[0-9]{1,2}$/.test(text)) return "EXPONENT";
  return hasThousands(text) ? "THOUSANDS" : null;
}

const NOTHING = /^(|nan|none|null|na|n\/a|nil|-|\?|[+-]?inf(inity)?)$/;
const NUMBER = /^[+-]?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?$/;
const LONGEST_NUMBER = 64;

export function isNothing(text) {
  return NOTHING.test(text.trim().toLowerCase());
}

export function isNumber(text) {
  return text.length <= LONGEST_NUMBER && NUMBER.test(text);
}

/** The name of the advice for a number that is spelled in another way, or null. */
export function spellingHint(text) {
  if (text.length > LONGEST_NUMBER) return "LONG_NUMBER";
  if (text !== text.replace(/^[ \t]+|[ \t]+$/g, "")) return "PADDED_NUMBER";
  if (/^[+-]?(\.[0-9]+|[0-9]+\.)$/.test(text)) return "BARE_POINT";
  return /^[+-]?[0-9]+([,._' ][0-9]+)+$/.test(text) ? "DECIMAL_COMMA" : null;
}
