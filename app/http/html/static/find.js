// What the search of the API's page looks in: operations by kinds of matches, and the introduction.

/** The kinds of matches, best first: what is said of them, and the texts of an operation. */
export const KINDS = [
  { told: "at this address", texts: () => [] },
  { told: "that answer with this status", texts: ({ responses }) => Object.keys(responses) },
  { told: "with it in the path or the summary", texts: nearest },
  { told: "with it in the description or a parameter", texts: described },
  { told: "with it in a document, a header or an error code", texts: (operation, place, spec) => namesIn(operation, spec) },
];

function nearest(operation, place) {
  return [...operation.tags, place, operation.operationId, operation.summary];
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

/** The best kind of match of each operation that has all words of the phrase, by method and path. */
export function matches(spec, phrase) {
  texts ??= textsOf(spec);
  const words = wordsOf(phrase);
  const address = words.join(" ");
  const isAt = (place) => [place, place.split(" ")[1]].some((each) => each.toLowerCase() === address);
  const found = [...texts].map(([place, told]) =>
    [place, isAt(place) ? 0 : told.findIndex((text) => words.every((word) => text.includes(word)))]);
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

const MOST_CODES = 6;

const LEAST_LETTERS = 4;

/** True if the phrase is one of the words, or the beginning of one. */
const means = (words, phrase) =>
  words.some((word) => word === phrase || (phrase.length >= LEAST_LETTERS && word.startsWith(phrase)));

function operationsOf(spec) {
  return Object.values(spec.paths).flatMap((methods) => Object.values(methods)).map((each) =>
    ({ id: each.operationId, title: each.summary, anchor: `/${encodeURIComponent(each.tags[0])}/${each.operationId}` }));
}

/** Where the phrase leads beside matches: first to what it is about, then to sections and codes that have it. */
export function pointers(spec, phrase) {
  const wanted = wordsOf(phrase).join(" ");
  const topics = TOPICS.filter(({ words }) => means(words, wanted));
  const guide = guideOf(spec);
  const isTitle = ({ title }) => wanted.length >= LEAST_LETTERS && title.toLowerCase().includes(wanted);
  const isFirst = (section) => isTitle(section) || topics.some(({ sections }) => sections.includes(section.title));
  const operations = operationsOf(spec).filter(({ id }) => topics.some((each) => each.operations.includes(id)));
  const codes = CODES.filter((code) => code.includes(wanted));
  return {
    first: [...guide.filter(isFirst), ...operations],
    guide: guide.filter((each) => !isFirst(each) && wordsOf(phrase).every((word) => each.text.includes(word))),
    codes: codes.includes(wanted) ? [wanted] : codes.slice(0, MOST_CODES),
  };
}
