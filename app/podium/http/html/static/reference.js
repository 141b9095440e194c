// The page of the API: Swagger UI, with a search over operations and Authorize at its top.

import { KINDS, anchorOf, guideOf, matches, nearestPhrase, pointers } from "./find.js";

const dark = matchMedia("(prefers-color-scheme: dark)");
const follow = () => document.documentElement.classList.toggle("dark-mode", dark.matches);
dark.addEventListener("change", follow);
follow();

// On a phone the operations come first, and the introduction is folded.
const narrow = matchMedia("(max-width: 640px)");

// Swagger UI brings a library that scrolls links of this page below what stays at the top.
const PLAIN = "noZensmooth";

const countOf = (count) => `${count} ${count === 1 ? "operation" : "operations"}`;

/** True of the address of an operation or a tag; others are sections of the introduction. */
const isOfOperation = (hash) => /^#!?\//.test(hash);

// The token is kept for the tab: a reload does not ask for it again, and no other tab has it.
const KEPT = "podium-authorization";
const keep = (authorized) => {
  if (authorized?.token) sessionStorage.setItem(KEPT, JSON.stringify(authorized));
  else sessionStorage.removeItem(KEPT);
};

/** The tokens of Authorize without the scheme in front, which is sent anyway. */
const withoutScheme = (given) => Object.fromEntries(Object.entries(given).map(([name, each]) =>
  [name, { ...each, value: each.value?.trim().replace(/^bearer\s+/i, "") }]));

/** Brings a section of the introduction into sight, on a phone out of its fold; or a tag, or an operation. */
function showSection(anchor) {
  const [, tag, operation] = anchor.split("/");
  const place = operation ? `.opblock[id$="-${operation}"]` : `.opblock-tag[data-tag="${decodeURIComponent(tag)}"]`;
  const heading = tag ? document.querySelector(place) : document.getElementById(anchor);
  heading?.closest("details")?.setAttribute("open", "");
  heading?.scrollIntoView();
}

/**
 * A part of the description, with what it refers to in place of references, but those within themselves. `$$ref` tells
 * Swagger UI where each was.
 */
function resolved(part, spec, within = []) {
  if (part === null || typeof part !== "object") return part;
  if (Array.isArray(part)) return part.map((each) => resolved(each, spec, within));
  const { $ref: address, ...rest } = part;
  if (within.includes(address)) return part;
  const own = Object.fromEntries(Object.entries(rest).map(([name, each]) => [name, resolved(each, spec, within)]));
  if (!address) return own;
  const meant = resolved(at(spec, address.split("/").slice(1)), spec, [...within, address]);
  return { ...meant, ...own, $$ref: address };
}

const at = (spec, path) => path.reduce((part, name) => part?.[name], spec);

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

  /** The kinds of matches beyond the best that the reader wants to see, for this phrase only. */
  const further = () => [...system.layoutSelectors.whatMode(["further", phrase()])].map(Number);

  /** How many operations match in each kind. */
  const counts = () => {
    const kinds = [...matches(spec(), phrase()).values()];
    return KINDS.map((_, kind) => kinds.filter((each) => each === kind).length);
  };

  /** The operations, by section, that match best, and those that the reader wants to see, too. */
  function filter(sections, wanted) {
    const found = matches(spec(), wanted);
    const shown = new Set([Math.min(...found.values()), ...further()]);
    const fits = (each) => shown.has(found.get(`${each.get("method")} ${each.get("path")}`));
    return sections
      .map((section) => section.update("operations", (all) => all.filter(fits)))
      .filter((section) => section.get("operations").size > 0);
  }

  // Half a megabyte, which every key stroke asks for several times: turned into objects once.
  const read = { json: null, spec: null };
  const spec = () => {
    const json = system.specSelectors.specJson();
    if (json !== read.json) Object.assign(read, { json, spec: json.toJS() });
    return read.spec;
  };

  /** Leaves the search, and goes to a section of the introduction, or to an operation. */
  function goTo(event, anchor) {
    event.preventDefault();
    system.layoutActions.updateFilter("");
    if (isOfOperation(`#${anchor}`)) system.layoutActions.parseDeepLinkHash(`#${decodeURIComponent(anchor)}`);
    else location.hash = anchor;
    setTimeout(() => showSection(anchor));
  }

  const linkTo = ({ title, anchor }) =>
    h("a", { key: anchor, href: `#${anchor}`, className: PLAIN, onClick: (event) => goTo(event, anchor) }, title);

  /** A label with links or buttons, if there are any. */
  const group = (label, parts) =>
    parts.length ? h("span", { key: label, className: "reference-beside" }, label, " ", parts, " ") : null;

  /** A button for each further kind of match. */
  function offers(counted) {
    const best = counted.findIndex(Boolean);
    return counted.flatMap((count, kind) => {
      if (kind === best || !count || further().includes(kind)) return [];
      const show = () => system.layoutActions.changeMode(["further", phrase()], [...further(), kind].join(""));
      return [h("button", { key: kind, type: "button", onClick: show }, `and ${countOf(count)} ${KINDS[kind].label}`)];
    });
  }

  /** What was found, in the order in which to read it. */
  function found() {
    if (!phrase()) return system.authSelectors.authorized().size ? "Authorized in this tab." : "";
    if (!system.specSelectors.specJson().has("info")) return "";
    const { first, guide, codes } = pointers(spec(), phrase());
    const counted = counts();
    const best = counted.findIndex(Boolean);
    const shown = counted.reduce((sum, count, kind) => sum + (kind === best || further().includes(kind) ? count : 0), 0);
    const codeLinks = codes.map((code) => h("a", { key: code, href: `/problems/${code}` }, code));
    const parts = [
      group("Read first:", first.map(linkTo)),
      shown ? h("span", { key: "count" }, countOf(shown), further().length ? " " : ` ${KINDS[best].label} `) : null,
      group("", offers(counted)),
      group("Introduction:", guide.map(linkTo)),
      group("Error codes:", codeLinks),
    ].filter(Boolean);
    return parts.length ? parts : nothing();
  }

  /** What is said where nothing matches: a word that was perhaps meant, as a button. */
  function nothing() {
    const near = nearestPhrase(spec(), phrase());
    const message = `Nothing matches “${phrase()}”.`;
    if (!near) return `${message} Try a part of a path, a summary, a member, a header or an error code.`;
    const look = () => system.layoutActions.updateFilter(near);
    return [`${message} Did you mean `, h("button", { key: "near", type: "button", onClick: look }, near), "?"];
  }

  function Top() {
    return h("div", { className: "swagger-ui reference-top" },
      h("div", { className: "reference-bar" },
        h("input", {
          type: "search",
          "aria-label": "Find operations, members, headers, error codes and topics of the introduction",
          placeholder: narrow.matches ? "Find: submit, 429 …" : "Find: submit, queue_position, Retry-After, too-large, pagination …",
          value: given(),
          onChange: (event) => system.layoutActions.updateFilter(event.target.value),
        }),
        h(system.getComponent("AuthorizeBtnContainer", true)),
      ),
      h("p", { className: "reference-found", role: "status" }, found()),
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
      const follow = () => {
        if (location.hash && !isOfOperation(location.hash)) showSection(decodeURIComponent(location.hash.slice(1)));
      };
      follow();
      addEventListener("hashchange", follow);
      return () => removeEventListener("hashchange", follow);
    }, []);
    if (narrow.matches) {
      return h("details", { className: "reference-guide wrapper" },
        h("summary", null, "How to use the API"), children);
    }
    const links = sections.map(({ title, anchor }) =>
      h("li", { key: anchor }, h("a", { href: `#${anchor}`, className: PLAIN }, title)));
    const tags = spec().tags.map(({ name }) =>
      h("li", { key: name }, linkTo({ title: name, anchor: `/${encodeURIComponent(name)}` })));
    return h("div", { className: "reference-introduction" },
      h("nav", { "aria-label": "Contents" },
        h("h2", null, "Contents"), h("ul", null, links), h("h2", null, "Operations"), h("ul", null, tags)),
      children);
  }

  /** What a body lacks that was to be sent: the whole of it, or required members of a form. */
  function missing({ requestBodyErrors, requestBodyValue, contentType }) {
    // What was missing may have been given since.
    const lacks = ([, each]) => each?.get?.("errors")?.size && !each.get("value");
    const members = requestBodyValue?.entrySeq
      ? requestBodyValue.entrySeq().filter(lacks).map(([name]) => name).toArray()
      : [];
    if (!members.length && (requestBodyValue || !requestBodyErrors?.size)) return null;
    const isFile = members.includes("file") || /octet-stream/.test(contentType);
    const lacking = isFile ? "Choose a file first: nothing" : `${members.join(", ") || "The body"} is required: nothing`;
    return h("p", { className: "reference-missing", role: "alert" }, `${lacking} was sent.`);
  }

  return {
    fn: {
      opsFilter: filter,
      // Swagger UI's own reads the whole description again, for seconds, whenever an operation is opened.
      resolveSubtree: async (spec, path) => ({ spec: resolved(at(spec, path), spec) ?? null, errors: [] }),
    },
    statePlugins: {
      spec: {
        wrapActions: {
          // Swagger UI takes the description for YAML, which takes longer to read.
          parseToJson: () => (text) => system.specActions.updateJsonSpec(JSON.parse(text)),
        },
      },
      oas3: {
        wrapActions: {
          // A body of the kind before, such as a chosen file, is none of the other kind.
          setRequestContentType: (original) => (given) => {
            system.oas3Actions.setRequestBodyValue({ value: undefined, pathMethod: given.pathMethod });
            return original(given);
          },
        },
      },
      auth: {
        wrapActions: {
          authorize: (original) => (given) => original(withoutScheme(given)),
          // Swagger UI calls this after Authorize and after Logout.
          persistAuthorizationIfNeeded: () => () => {
            keep(system.authSelectors.authorized().toJS());
            return { type: "podium_kept" };
          },
        },
      },
      layout: {
        wrapActions: {
          // Swagger UI takes every address for that of an operation, and rewrites it.
          parseDeepLinkHash: (original) => (hash) => (isOfOperation(hash) ? original(hash) : { type: "podium_section" }),
          // By the browser, which leaves room for what stays at the top.
          // A section may be hidden by the search before Swagger UI comes to it.
          scrollToElement: () => (element) => element?.scrollIntoView(),
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
      // Of operations that anybody may call, too, Swagger UI asks for a token.
      OperationSummary: (Original) => ({ operationProps, ...props }) => {
        const isOpen = operationProps.get("security")?.some((each) => each.isEmpty());
        return h(Original, { ...props, operationProps: isOpen ? operationProps.delete("security") : operationProps });
      },
      authorizeOperationBtn: () => ({ isAuthorized, onClick }) =>
        h("button", {
          className: "authorization__btn",
          "aria-label": isAuthorized ? "Needs a token; authorized" : "Needs a token",
          onClick: (event) => { event.stopPropagation(); onClick(); },
        }, h(system.getComponent("LockAuthOperationIcon", true), { className: isAuthorized ? "locked" : "unlocked" })),
      auths: (Original) => (props) =>
        h(system.React.Fragment, null, h("p", { className: "reference-kept" },
          "Kept in this tab only, also when it is loaded again. Logout, or closing the tab, forgets it."),
          h(Original, props)),
      // Swagger UI marks what is missing at best by a color.
      RequestBody: (Original) => (props) =>
        h(system.React.Fragment, null, h(Original, props), missing(props)),
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
