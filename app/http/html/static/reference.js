// The page of the API: Swagger UI, with a search over operations and Authorize at its top.

const dark = matchMedia("(prefers-color-scheme: dark)");
const follow = () => document.documentElement.classList.toggle("dark-mode", dark.matches);
dark.addEventListener("change", follow);
follow();

// On a phone the operations come first, and the introduction is folded.
const narrow = matchMedia("(max-width: 640px)");

const TEXTS = ["operationId", "summary"];

/** The names of documents, members and error codes below a part of the description. */
function namesIn(part, spec, names = new Set()) {
  for (const [key, value] of Object.entries(part ?? {})) {
    if (key === "$ref") {
      const [, , kind, name] = value.split("/");
      if (names.has(name)) continue;
      names.add(name);
      if (kind !== "examples") namesIn(spec.components[kind][name], spec, names);
    } else if (key === "code" && typeof value === "string") {
      names.add(value);
    } else if (typeof value === "object") {
      if (key === "properties") Object.keys(value).forEach((name) => names.add(name));
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

const counted = (found) => found.reduce((sum, each) => sum + each.get("operations").size, 0);

// The token is kept for the tab: a reload does not ask for it again, and no other tab has it.
const KEPT = "podium-authorization";
const keep = (authorized) => {
  if (authorized?.token) sessionStorage.setItem(KEPT, JSON.stringify(authorized));
  else sessionStorage.removeItem(KEPT);
};

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
    names ??= namesOfOperations(system.specSelectors.specJson().toJS());
    return opsFilter(all, wanted, (place) => names.get(place));
  }

  function found() {
    if (!phrase()) return system.authSelectors.authorized().size ? "Authorized in this tab." : "";
    const count = counted(sections());
    const told = `${count} ${count === 1 ? "operation" : "operations"}`;
    if (count) return isInside ? `${told} with “${phrase()}” in a document or an error code` : told;
    return `Nothing matches “${phrase()}”. Try a part of a path, a summary, a member or an error code.`;
  }

  function Top() {
    return h("div", { className: "swagger-ui reference-top" },
      h("div", { className: "reference-bar" },
        h("input", {
          type: "search",
          "aria-label": "Find operations",
          placeholder: "Find: submit, queue_position, too-large …",
          value: given(),
          onChange: (event) => system.layoutActions.updateFilter(event.target.value),
        }),
        h(system.getComponent("AuthorizeBtnContainer", true)),
      ),
      h("p", { className: "reference-found", role: "status" }, found()),
    );
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
        if (!narrow.matches) return h(Original, props);
        return h("details", { className: "reference-guide wrapper" },
          h("summary", null, "How to use the API"), h(Original, props));
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
