// The page of the API: Swagger UI, with a search over operations and Authorize at its top.

const dark = matchMedia("(prefers-color-scheme: dark)");
const follow = () => document.documentElement.classList.toggle("dark-mode", dark.matches);
dark.addEventListener("change", follow);
follow();

// On a phone the operations come first, and the introduction is folded.
const narrow = matchMedia("(max-width: 640px)");

const TEXTS = ["operationId", "summary"];

/** The names of documents, members, headers and error codes below a part of the description. */
function namesIn(part, spec, names = new Set()) {
  if (part?.in === "header") names.add(part.name);
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

/** Those names by method and path, as texts to look in. */
function namesOfOperations(spec) {
  const told = Object.entries(spec.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) =>
      [`${method} ${path}`, [...namesIn(operation, spec)].join(" ").toLowerCase()]));
  return new Map(told);
}

/** The operations, by section, in whose path, names or words all the words of the phrase stand. */
function opsFilter(sections, phrase, more = () => "") {
  const words = phrase.toLowerCase().split(/\s+/).filter(Boolean);
  const fits = (each, section) => {
    const told = TEXTS.map((name) => each.getIn(["operation", name]));
    const place = [each.get("method"), each.get("path")].join(" ");
    const text = [section, place, ...told, more(place)].join(" ").toLowerCase();
    return words.every((word) => text.includes(word));
  };
  return sections
    .map((found, section) => found.update("operations", (all) => all.filter((each) => fits(each, section))))
    .filter((found) => found.get("operations").size > 0);
}

/** The sections of the introduction: title, anchor, and the text in which to look. */
function guideOf(spec) {
  return spec.info.description.split(/^## /m).slice(1).map((section) => {
    const title = section.split("\n", 1)[0];
    return { title, anchor: anchorOf(title), text: section.toLowerCase().replace(/\s+/g, " ") };
  });
}

const anchorOf = (title) => title.toLowerCase().replace(/\W+/g, "-");

/** All error codes, as the server lists them. */
const CODES = [...document.getElementById("codes").content.children].map((each) => each.textContent);

/** Links for the line below the search: to sections of the introduction, and to error codes. */
function pointers(spec, phrase) {
  const wanted = phrase.toLowerCase();
  const words = wanted.split(/\s+/);
  const guide = guideOf(spec).filter(({ text }) => words.every((word) => text.includes(word)));
  const codes = CODES.filter((code) => code.includes(wanted));
  return {
    guide,
    codes: codes.includes(wanted) ? [wanted] : codes.slice(0, MOST_CODES),
  };
}

const MOST_CODES = 6;

// Swagger UI brings a library that scrolls links of this page below what stays at the top.
const PLAIN = "noZensmooth";

const counted = (found) => found.reduce((sum, each) => sum + each.get("operations").size, 0);

// The token is kept for the tab: a reload does not ask for it again, and no other tab has it.
const KEPT = "podium-authorization";
const keep = (authorized) => {
  if (authorized?.token) sessionStorage.setItem(KEPT, JSON.stringify(authorized));
  else sessionStorage.removeItem(KEPT);
};

/** Brings a section of the introduction into sight, on a phone out of its fold. */
function showSection(anchor) {
  const heading = document.getElementById(anchor);
  heading?.closest("details")?.setAttribute("open", "");
  heading?.scrollIntoView();
}

/** Swagger UI's parts as we want them. */
function plugin(system) {
  // The rest of the system is there only once all plugins are.
  const h = (...parts) => system.React.createElement(...parts);
  const given = () => {
    const text = system.layoutSelectors.currentFilter();
    return typeof text === "string" ? text : "";
  };
  const phrase = () => given().trim();
  const sections = () => system.specSelectors.taggedOperations();

  let names;
  let isInside = false;
  /** What a path or a summary tells comes first; else what documents and refusals name. */
  function filter(all, wanted) {
    const near = opsFilter(all, wanted);
    isInside = near.size === 0;
    if (!isInside) return near;
    names ??= namesOfOperations(spec());
    return opsFilter(all, wanted, (place) => names.get(place));
  }

  const spec = () => system.specSelectors.specJson().toJS();

  /** Leaves the search, and goes to a section of the introduction. */
  function goTo(event, anchor) {
    event.preventDefault();
    system.layoutActions.updateFilter("");
    location.hash = anchor;
    setTimeout(() => showSection(anchor));
  }

  /** Words and links about what was found beside operations. */
  function beside() {
    if (!phrase() || !system.specSelectors.specJson().has("info")) return [];
    const { guide, codes } = pointers(spec(), phrase());
    const sectionLinks = guide.map(({ title, anchor }) =>
      h("a", { key: anchor, href: `#${anchor}`, className: PLAIN, onClick: (event) => goTo(event, anchor) }, title));
    const codeLinks = codes.map((code) => h("a", { key: code, href: `/problems/${code}` }, code));
    return [["Introduction:", sectionLinks], ["Error codes:", codeLinks]]
      .filter(([, links]) => links.length)
      .map(([label, links]) => h("span", { key: label, className: "reference-beside" }, label, links));
  }

  function found() {
    if (!phrase()) return system.authSelectors.authorized().size ? "Authorized in this tab." : "";
    const count = counted(sections());
    const told = `${count} ${count === 1 ? "operation" : "operations"}`;
    if (count) return isInside ? `${told} with “${phrase()}” in a document, a header or an error code` : told;
    if (beside().length) return "No operation, but:";
    return `Nothing matches “${phrase()}”. Try a part of a path, a summary, a member, a header or an error code.`;
  }

  function Top() {
    return h("div", { className: "swagger-ui reference-top" },
      h("div", { className: "reference-bar" },
        h("input", {
          type: "search",
          "aria-label": "Find operations, members, headers, error codes and topics of the introduction",
          placeholder: "Find: submit, queue_position, Retry-After, too-large, pagination …",
          value: given(),
          onChange: (event) => system.layoutActions.updateFilter(event.target.value),
        }),
        h(system.getComponent("AuthorizeBtnContainer", true)),
      ),
      h("p", { className: "reference-found", role: "status" }, found(), beside()),
    );
  }

  /** The introduction: with a list of its contents on a desk, folded on a phone. */
  function Guide({ children }) {
    const sections = guideOf(spec());
    system.React.useEffect(() => {
      for (const heading of document.querySelectorAll(".info .description h2")) {
        if (heading.id) continue;
        const title = heading.textContent;
        heading.id = anchorOf(title);
        const link = Object.assign(document.createElement("a"), { href: `#${heading.id}`, textContent: "#", className: PLAIN });
        link.setAttribute("aria-label", `Link to ${title}`);
        heading.append(" ", link);
      }
      if (sections.some(({ anchor }) => `#${anchor}` === location.hash)) showSection(location.hash.slice(1));
    }, []);
    if (narrow.matches) {
      return h("details", { className: "reference-guide wrapper" },
        h("summary", null, "How to use the API"), children);
    }
    const links = sections.map(({ title, anchor }) =>
      h("li", { key: anchor }, h("a", { href: `#${anchor}`, className: PLAIN }, title)));
    return h("div", { className: "reference-introduction" },
      h("nav", { "aria-label": "Contents of the introduction" }, h("h2", null, "Contents"), h("ul", null, links)),
      children);
  }

  return {
    fn: { opsFilter: filter },
    statePlugins: {
      auth: {
        wrapActions: {
          // Swagger UI calls this after Authorize and after Logout.
          persistAuthorizationIfNeeded: () => () => {
            keep(system.authSelectors.authorized().toJS());
            return { type: "podium_kept" };
          },
        },
      },
      layout: {
        wrapActions: {
          // By the browser, which leaves room for what stays at the top.
          scrollToElement: () => (element) => element.scrollIntoView(),
        },
        wrapSelectors: {
          // Sections stay open as long as something is looked for.
          isShown: (original) => (_state, thing, ...rest) =>
            (thing[0] === "operations-tag" && phrase() !== "") || original(thing, ...rest),
        },
      },
    },
    wrapComponents: {
      BaseLayout: (Original) => (props) =>
        h(system.React.Fragment, null, h(Top), h(Original, props)),
      InfoContainer: (Original) => (props) => {
        if (phrase()) return null;
        return h(Guide, null, h(Original, props));
      },
      FilterContainer: () => () => null,
      auths: (Original) => (props) =>
        h(system.React.Fragment, null, h("p", { className: "reference-kept" },
          "Kept in this tab only, also when it is loaded again. Logout, or closing the tab, forgets it."),
          h(Original, props)),
      operations: (Original) => (props) =>
        sections().size === 0 ? null : h(Original, props),
    },
  };
}

// Swagger UI's dialog of Authorize knows its buttons alone.
addEventListener("keydown", (event) => {
  if (event.key === "Escape") document.querySelector(".dialog-ux .btn-done, .dialog-ux .close-modal")?.click();
});

const page = SwaggerUIBundle({
  onComplete: () => {
    const kept = sessionStorage.getItem(KEPT);
    if (kept) page.authActions.authorize(JSON.parse(kept));
  },
  url: "/openapi.json",
  dom_id: "#reference",
  deepLinking: true,
  docExpansion: "none",
  defaultModelsExpandDepth: 0,
  filter: true,
  plugins: [plugin],
  presets: [SwaggerUIBundle.presets.apis],
  layout: "BaseLayout",
  showExtensions: true,
  showCommonExtensions: true,
});
