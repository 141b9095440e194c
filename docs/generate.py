"""Writes the pages of the site that come from the product, into `docs/generated`.

Metrics come from their registry, settings from their model, the API from its OpenAPI description,
and a few pages are documents of the repository with their links turned. `make docs` runs this.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from podium.bootstrap import build
from podium.cli.operator.described_settings import described_settings
from podium.competitions.schemas.metrics import MetricDefinitionOut, metric_definitions
from podium.core.problems import meanings
from podium.main import create_app
from podium.settings import Settings

DOCS = Path(__file__).parent
ROOT = DOCS.parent
PAGES = DOCS / "generated"

INCLUDED = {
    "architecture": "app/README.md",
    "changelog": "CHANGELOG.md",
    "contributing": "CONTRIBUTING.md",
    "security": "SECURITY.md",
}
"""Pages that are documents of the repository."""

REPOSITORY = "https://github.com/podium-scorer/podium/blob/main"
API_HEAD = """# API

Version 1 of the HTTP API, as every installation describes it itself at `/docs` and `/openapi.json`.
"""

SETTINGS_HEAD = """# Settings

Operators set these environment variables; all commands of an installation read them, and
`podium serve --help` lists them. An empty variable counts as not set. A wrong value ends a command
with exit code 2 and a line that names the variable, what it holds and what to set it to; so does a
name that looks like a misspelt setting. Other names with `PODIUM_` are told in the log as
`setting.unknown` and ignored.

Variables of the client, such as `PODIUM_URL` and `PODIUM_TOKEN`, are on the page for
[participants](../participants.md).
"""

PROBLEMS_HEAD = """# Error codes

The stable `code` of every problem document. An installation explains each at `/problems/<code>`,
where the document's `type` leads.
"""

KINDS = {"rank": "Ranked lists", "prediction": "Beyond accuracy", "rating": "Ratings"}


def main() -> None:
    """Writes all pages."""
    PAGES.mkdir(exist_ok=True)
    contract = openapi()
    pages = {
        "metrics": metrics(),
        "settings": settings(),
        "problems": "\n".join(problems()),
        "api": "\n".join(api(contract)),
        "documents": "\n".join(documents(contract["components"]["schemas"])),
        **{name: included(ROOT / path) for name, path in INCLUDED.items()},
    }
    for name, text in pages.items():
        (PAGES / f"{name}.md").write_text(text)


def openapi() -> dict[str, Any]:
    """The description of the API, as a running installation serves it."""
    with TemporaryDirectory() as folder:
        application = build(Settings(data_dir=Path(folder)))
        try:
            return create_app(application).openapi()
        finally:
            application.close()


def metrics() -> str:
    """Every registered metric with its whole specification."""
    lines = [
        "# Metrics",
        "",
        "`podium metrics` prints this list, too. `K` is a number up to 1,000.",
    ]
    for kind, title in KINDS.items():
        lines += ["", f"## {title}"]
        for entry in metric_definitions():
            if entry.kind == kind:
                lines += [
                    "",
                    f"### `{entry.id}`",
                    "",
                    _definition(entry.definition),
                    "",
                    *_facts(entry),
                ]
    return "\n".join(lines) + "\n"


def _definition(text: str) -> str:
    examples = r"(?:^>>> .*\n?(?:^(?!>>> |\n).+\n?)*)+"
    return re.sub(examples, lambda found: f"```pycon\n{found[0].rstrip()}\n```\n", text, flags=re.M)


def _facts(entry: MetricDefinitionOut) -> Iterator[str]:
    facts = {
        "For one query" if entry.kind != "rating" else "Formula": entry.formula,
        "Averages": ", ".join(entry.averages),
        "Better": "higher" if entry.higher_is_better else "lower",
        "Ranks teams": "yes" if entry.ranks else "no, a diagnostic",
        "Needs an item file with": ", ".join(entry.needs),
        "Presets": ", ".join(f"`{preset}`" for preset in entry.presets),
        "Source": entry.source,
    }
    yield from _table(("", ""), [(name, text) for name, text in facts.items() if text])


def settings() -> str:
    """Every environment variable of an installation."""
    rows = [
        (f"`{one.variable}`", one.takes, f"`{one.default}`" if one.default else "–", one.meaning)
        for one in described_settings()
    ]
    table = _table(("variable", "takes", "default", "meaning"), rows)
    return "\n".join([SETTINGS_HEAD, *table]) + "\n"


def problems() -> Iterator[str]:
    """Every error code, where it stands, and what to do about it."""
    yield PROBLEMS_HEAD
    titles = {"request": "Answers to requests", "file": "Problems in files"}
    for place, title in titles.items():
        rows = [
            (
                f"`{one.code}`",
                ", ".join(map(str, one.statuses)) or "–",
                f"**{one.title}.** {one.reason} {one.remedy}",
            )
            for one in meanings()
            if one.place == place
        ]
        yield f"\n## {title}\n"
        yield from _table(("code", "HTTP", "meaning, and what to do"), rows)


def api(contract: Mapping[str, Any]) -> Iterator[str]:
    """Every operation, by its tag."""
    tagged: dict[str, list[tuple[str, dict[str, Any]]]] = defaultdict(list)
    for path, methods in contract["paths"].items():
        for method, operation in methods.items():
            tagged[operation["tags"][0]].append((f"{method.upper()} {path}", operation))
    yield API_HEAD
    yield contract["info"]["description"]
    for tag in contract["tags"]:
        yield f"\n## {tag['name'].capitalize()}\n\n{tag['description']}"
        for address, operation in tagged[tag["name"]]:
            yield from _operation(address, operation)


def _operation(address: str, operation: Mapping[str, Any]) -> Iterator[str]:
    yield f"\n### {operation['summary']} {{ #{operation['operationId']} }}\n\n`{address}`"
    if description := operation.get("description"):
        yield f"\n{description}"
    if parameters := operation.get("parameters"):
        rows = [
            (f"`{one['name']}`", one["in"], _type(one["schema"]), one.get("description", ""))
            for one in parameters
        ]
        yield ""
        yield from _table(("parameter", "in", "type", "meaning"), rows)
    if body := operation.get("requestBody"):
        yield f"\nBody: {_content(body['content'])}. {body.get('description', '')}"
    answers = operation["responses"]
    good = {status: one for status, one in answers.items() if status < "400"}
    refusals = [f"`{status}`" for status in answers if status >= "400"]
    for status, one in good.items():
        yield f"\n`{status}`: {_content(one.get('content', {})) or 'no content'}"
    if refusals:
        yield f"\nRefusals: {', '.join(refusals)}"


def _content(content: Mapping[str, Any]) -> str:
    kinds = []
    for media_type, one in content.items():
        schema = one.get("schema", {})
        is_document = media_type == "application/json" and schema
        kinds.append(_type(schema) if is_document else f"`{media_type}`")
    return " or ".join(kinds)


def documents(schemas: Mapping[str, Any]) -> Iterator[str]:
    """Every document that the API takes or gives, with its members."""
    yield "# Documents of the API\n"
    yield "The JSON documents that the operations of the [API](api.md) take and return."
    for name, schema in sorted(schemas.items()):
        yield f"\n## {name} {{ #{name} }}\n"
        if description := schema.get("description"):
            yield f"{description}\n"
        rows = [
            (f"`{member}`", _type(one), one.get("description", "") or _example(one))
            for member, one in schema.get("properties", {}).items()
        ]
        if rows:
            yield from _table(("member", "type", "meaning"), rows)
        else:
            yield _type(schema)


def _example(schema: Mapping[str, Any]) -> str:
    examples = schema.get("examples") or []
    return f"such as `{json.dumps(examples[0], ensure_ascii=False)}`" if examples else ""


def _type(schema: Mapping[str, Any]) -> str:
    if reference := schema.get("$ref"):
        name = reference.rpartition("/")[2]
        return f"[{name}](documents.md#{name})"
    if choices := schema.get("anyOf") or schema.get("oneOf"):
        return " or ".join(dict.fromkeys(_type(choice) for choice in choices))
    if values := schema.get("enum"):
        return ", ".join(f"`{value}`" for value in values)
    if "const" in schema:
        return f"`{schema['const']}`"
    kind = schema.get("type", "anything")
    if isinstance(kind, list):
        return " or ".join(kind)
    if kind == "array":
        return f"list of {_type(schema.get('items', {}))}"
    if kind == "object" and isinstance(values := schema.get("additionalProperties"), dict):
        return f"map to {_type(values)}"
    return "time" if schema.get("format") == "date-time" else str(kind)


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    for row in (head, ("---",) * len(head), *rows):
        cells = (" ".join(cell.split()).replace("|", r"\|") for cell in row)
        yield f"| {' | '.join(cells)} |"


def included(path: Path) -> str:
    """A document of the repository: links to pages of the site lead there, all others to GitHub."""

    def turned(link: re.Match[str]) -> str:
        address, _, anchor = link[1].partition("#")
        if "://" in address or not address:
            return link[0]
        target = (path.parent / address).resolve()
        if target.is_relative_to(DOCS):
            place = f"../{target.relative_to(DOCS)}"
        else:
            place = f"{REPOSITORY}/{target.relative_to(ROOT)}"
        return f"]({place}{anchor and '#'}{anchor})"

    return re.sub(r"\]\(([^)\s]+)\)", turned, path.read_text())


if __name__ == "__main__":
    main()
