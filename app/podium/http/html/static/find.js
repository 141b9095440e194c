// What the search of the API's page looks in: operations by kinds of matches, and the introduction.

/** The kinds of matches, best first: what is said of them, and the texts of an operation. */
export const KINDS = [
  { label: "at this address", texts: () => [] },
  { label: "that answer with this status", texts: ({ responses }) => Object.keys(responses) },
  { label: "with it in the path or the summary", texts: nearest },
  { label: "with it in the description or a parameter", texts: described },
  { label: "with it in a document, a header or an error code", texts: (operation, place, spec) => namesIn(operation, spec) },
];

function nearest(operation, place) {
  // Also the words of which an id is made: getOwnTeam, get own team.
  const words = operation.operationId.replace(/[A-Z]/g, (letter) => ` ${letter}`);
  return [...operation.tags, place, operation.operationId, words, operation.summary];
}

function described(operation) {
  return [operation.description, ...(operation.parameters ?? []).flatMap((each) => [each.name, each.description])];
}

/** The names of documents, members, headers and error codes below a part of the description. */
function namesIn(part, spec, names = new Set()) {
  for (const [key, value] of Object.entries(part ?? {})) {
    if (key === "$ref") {
      const [, , kind, name] = value.split("/");
      if (names.has(name)) continue;
      names.add(name);
      if (kind !== "examples") namesIn(spec.components[kind][name], spec, names);
    } else if (key === "code" && typeof value === "string") {
      names.add(value);
    } else if (key === "description" && typeof value === "string") {
      // Of answers with a problem: the codes stand in a sentence.
      for (const [, code] of value.split(" Codes, ")[1]?.matchAll(/`([^`]+)`/g) ?? []) names.add(code);
    } else if (typeof value === "object") {
      if (key === "properties" || key === "headers") Object.keys(value).forEach((name) => names.add(name));
      namesIn(value, spec, names);
    }
  }
  return names;
}

const wordsOf = (phrase) => phrase.toLowerCase().split(/\s+/).filter(Boolean);

/** For each operation by method and path: what to look in, each kind with those before it. */
function textsOf(spec) {
  const all = Object.entries(spec.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => {
      const place = `${method} ${path}`;
      let text = "";
      return [place, KINDS.map(({ texts }) => (text += ` ${[...texts(operation, place, spec)].join(" ")}`.toLowerCase()))];
    }));
  return new Map(all);
}

let texts;

/** True if some word of the text begins with this. */
function begins(text, word) {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    if (at === 0 || /[^a-z0-9]/.test(text[at - 1] + word[0])) return true;
  }
  return false;
}

/** The way to look for words: at the beginnings of those of a text, or, where no text has them all so, anywhere. */
function finder(words, all) {
  const fits = (text) => words.every((word) => begins(text, word));
  return all.some(fits) ? fits : (text) => words.every((word) => text.includes(word));
}

/** The best kind of match of each operation that has all words of the phrase, by method and path. */
export function matches(spec, phrase) {
  texts ??= textsOf(spec);
  const words = wordsOf(phrase);
  const address = words.join(" ");
  const isAt = (place) => [place, place.split(" ")[1]].some((each) => each.toLowerCase() === address);
  const fits = finder(words, [...texts.values()].map((levels) => levels.at(-1)));
  const found = [...texts].map(([place, levels]) => [place, isAt(place) ? 0 : levels.findIndex(fits)]);
  return new Map(found.filter(([, kind]) => kind >= 0));
}

export const anchorOf = (title) => title.toLowerCase().replace(/\W+/g, "-");

/** The sections of the introduction: title, anchor, and the text in which to look. */
export function guideOf(spec) {
  return spec.info.description.split(/^## /m).slice(1).map((section) => {
    const title = section.split("\n", 1)[0];
    return { title, anchor: anchorOf(title), text: section.toLowerCase().replace(/\s+/g, " ") };
  });
}

const listed = (id, read) => [...document.getElementById(id).content.children].map(read);

/** All error codes, and words with where to read about them, as the server lists them. */
const CODES = listed("codes", (each) => each.textContent);
const TOPICS = listed("topics", ({ dataset }) => ({
  words: dataset.words.split("|"), sections: dataset.sections.split("|"), operations: dataset.operations.split("|"),
}));

const MAX_CODES = 6;

const MIN_LETTERS = 4;

/** True if the phrase is one of the words, or the beginning of one. */
const means = (words, phrase) =>
  words.some((word) => word === phrase || (phrase.length >= MIN_LETTERS && word.startsWith(phrase)));

function operationsOf(spec) {
  return Object.values(spec.paths).flatMap((methods) => Object.values(methods)).map((each) =>
    ({ id: each.operationId, title: each.summary, anchor: `/${encodeURIComponent(each.tags[0])}/${each.operationId}` }));
}

/** Where the phrase leads beside matches: first to what it is about, then to sections and codes that have it. */
export function pointers(spec, phrase) {
  const wanted = wordsOf(phrase).join(" ");
  const topics = TOPICS.filter(({ words }) => means(words, wanted));
  const guide = guideOf(spec);
  const isTitle = ({ title }) => wanted.length >= MIN_LETTERS && title.toLowerCase().includes(wanted);
  const isFirst = (section) => isTitle(section) || topics.some(({ sections }) => sections.includes(section.title));
  const operations = operationsOf(spec).filter(({ id }) => topics.some((each) => each.operations.includes(id)));
  const codes = CODES.filter(finder([wanted], CODES));
  const fits = finder(wordsOf(phrase), guide.map(({ text }) => text));
  return {
    first: [...guide.filter(isFirst), ...operations],
    guide: guide.filter((each) => !isFirst(each) && fits(each.text)),
    codes: codes.includes(wanted) ? [wanted] : codes.slice(0, MAX_CODES),
  };
}

/** How many letters have to be left out, put in or changed to make one word of the other. */
function distance(one, other) {
  let row = [...Array(other.length + 1).keys()];
  for (const [number, letter] of [...one].entries()) {
    const next = [number + 1];
    for (let at = 0; at < other.length; at += 1) {
      next.push(Math.min(next[at] + 1, row[at + 1] + 1, row[at] + (letter === other[at] ? 0 : 1)));
    }
    row = next;
  }
  return row.at(-1);
}

const MAX_WRONG = 2;

/** A phrase that matches, for one that does not: each unknown word is replaced by the nearest known; null if none is near. */
export function nearestPhrase(spec, phrase) {
  texts ??= textsOf(spec);
  const all = [...[...texts.values()].map((levels) => levels.at(-1)), ...guideOf(spec).map(({ text }) => text), ...CODES,
    ...TOPICS.flatMap(({ words }) => words)].join(" ");
  const known = [...new Set(all.match(/[a-z]+/g))].filter((word) => word.length >= MIN_LETTERS);
  const words = wordsOf(phrase).map((word) => {
    if (all.includes(word)) return word;
    const near = known.map((each) => [distance(word, each), each]).sort(([one], [other]) => one - other)[0];
    return near[0] <= Math.min(MAX_WRONG, word.length / MIN_LETTERS) ? near[1] : null;
  });
  const found = words.join(" ");
  return words.includes(null) || found === wordsOf(phrase).join(" ") ? null : found;
}
