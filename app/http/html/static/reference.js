// The page of the API: Swagger UI, with a search over operations and Authorize at its top.

const dark = matchMedia("(prefers-color-scheme: dark)");
const follow = () => document.documentElement.classList.toggle("dark-mode", dark.matches);
dark.addEventListener("change", follow);
follow();

const TEXTS = ["operationId", "summary"];

/** The operations, by section, in whose path, names or words all the words of the phrase stand. */
function opsFilter(sections, phrase) {
  const words = phrase.toLowerCase().split(/\s+/).filter(Boolean);
  const fits = (each, section) => {
    const told = TEXTS.map((name) => each.getIn(["operation", name]));
    const text = [section, each.get("method"), each.get("path"), ...told].join(" ").toLowerCase();
    return words.every((word) => text.includes(word));
  };
  return sections
    .map((found, section) => found.update("operations", (all) => all.filter((each) => fits(each, section))))
    .filter((found) => found.get("operations").size > 0);
}

const counted = (found) => found.reduce((sum, each) => sum + each.get("operations").size, 0);

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

  function found() {
    if (!phrase()) return "";
    const count = counted(sections());
    if (count) return `${count} ${count === 1 ? "operation" : "operations"}`;
    return `Nothing matches “${phrase()}”. Try a part of a path, of a summary or of a name.`;
  }

  function Top() {
    return h("div", { className: "swagger-ui reference-top" },
      h("div", { className: "reference-bar" },
        h("input", {
          type: "search",
          "aria-label": "Find operations",
          placeholder: "Find operations: leaderboard.csv, submit …",
          value: given(),
          onChange: (event) => system.layoutActions.updateFilter(event.target.value),
        }),
        h(system.getComponent("AuthorizeBtnContainer", true)),
      ),
      h("p", { className: "reference-found", role: "status" }, found()),
    );
  }

  return {
    fn: { opsFilter },
    statePlugins: {
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
      InfoContainer: (Original) => (props) => phrase() === "" ? h(Original, props) : null,
      FilterContainer: () => () => null,
      operations: (Original) => (props) =>
        sections().size === 0 ? null : h(Original, props),
    },
  };
}

// Swagger UI's dialog of Authorize knows its buttons alone.
addEventListener("keydown", (event) => {
  if (event.key === "Escape") document.querySelector(".dialog-ux .btn-done, .dialog-ux .close-modal")?.click();
});

SwaggerUIBundle({
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
