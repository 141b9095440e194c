"""The tutorial works and prints what it says, and every example of the guides works."""

from __future__ import annotations

from dataclasses import replace
from inspect import signature
from pathlib import Path

import pytest

from podium.cli.operator.demo.showing import demo
from tests.places import ROOT
from tests.system.tutorial.reading import Step, steps_of
from tests.system.tutorial.running import environment, outputs

DOCS = ROOT / "docs"

INSTALLATION = """
podium otto synth --sessions 400 --items 500 --to .
podium baseline covisitation --train train_sessions.jsonl --test test_sessions.jsonl -o a.csv
podium baseline recent --train train_sessions.jsonl --test test_sessions.jsonl -o b.csv
cp a.csv submission.csv; cp a.csv candidates.csv; cp b.csv mine.csv
cp test_labels.jsonl my_labels.jsonl
printf 'q1 0 d1 1\\nq2 0 d2 1\\n' > qrels.txt
printf 'q1 Q0 d1 1 0.9 me\\nq2 Q0 d3 1 0.8 me\\n' > run.txt
printf 'user,item,rating\\n1,2,3.5\\n1,3,4\\n' > ratings.csv
printf 'user,item,score\\n1,2,1\\n1,3,0\\n' > clicks.csv
for u in $(seq 60); do for i in 1 2 3 4 5 6; do echo $u,$((u+7*i)),4,$i; done; done > films.csv
printf 'name,team\\nmary,Engines\\n' > class.csv
echo id,price,Usage > homes.csv
for i in $(seq 20); do echo $i,$((100+7*i)),Public; echo 9$i,$((100+8*i)),Private; done >> homes.csv
printf 'session,country\\n' > about.csv
sed 's/.*"session": *\\([0-9]*\\).*/\\1,at/' test_labels.jsonl >> about.csv
printf 'group,clicked\\na,1\\na,0\\na,0\\nb,1\\nb,1\\nb,0\\n' > experiment.csv
export PODIUM_ADMIN_TOKEN=$(head -c 32 /dev/urandom | base64 | tr '+/' '-_')
podium serve --port 8000 > server.log 2>&1 &
curl --silent --output ready.json --retry 90 --retry-delay 1 --retry-connrefused $SERVER/readyz
"""
"""The surroundings of the examples: files of the names that they use, and a server."""

COMPETITIONS = """
export PODIUM_URL=$SERVER PODIUM_TOKEN=$PODIUM_ADMIN_TOKEN
podium create otto --truth test_labels.jsonl --data train_sessions.jsonl --launch
podium create shop --preset otto --truth test_labels.jsonl --launch
podium users add ada > ada.token
unset PODIUM_URL PODIUM_TOKEN
"""


REJECTED = Step("echo no > no.csv; podium submit -f no.csv; test $? = 3", printed=["…"])


def steps(script: str) -> list[Step]:
    """The lines of a script as steps, with the address of the server."""
    lines = script.strip().replace("$SERVER", "http://127.0.0.1:8000").splitlines()
    return [Step(line) for line in lines]


def work(page: str, before: str, folder: Path, *, end: str = "kill %1; wait") -> None:
    """Types what comes before and all examples of a page; each must end well, and print what the
    page says, if it says it."""
    examples = steps_of(page)
    prepared = steps(before)
    run = [*prepared, *examples, *steps(end)]
    printed = list(outputs(run, folder / "empty", environment(folder)))
    for step, output in zip(examples, printed[len(prepared) :], strict=False):
        assert not step.printed or step.explains(output), f"{step.source}\nprinted\n{output}"


def test_every_line_of_the_tutorial_works_and_prints_what_it_says(tmp_path: Path) -> None:
    *tutorial, end = steps_of((DOCS / "start.md").read_text(encoding="utf-8"))
    # The piece of Python also works for a team with a rejected file, which has no score.
    [python] = [step for step in tutorial if step.is_python]
    again = [line.replace("Ada 2", "Ada 3") for line in python.printed]
    tutorial += [REJECTED, replace(python, printed=again), end]
    folder = tmp_path / "empty"
    printed = list(outputs(tutorial, folder, environment(tmp_path), port_there="8010"))
    for step, output in zip(tutorial, printed, strict=True):
        assert step.explains(output), f"{step.source}\nprinted\n{output}"


def test_the_tutorial_leaves_the_port_of_the_demo_alone() -> None:
    # Its server would end in the background, and everything after it would ask the demo.
    taken = signature(demo).parameters["port"].default
    tutorial = (DOCS / "start.md").read_text(encoding="utf-8").partition("## Tutorial")[2]
    assert f":{taken}" not in tutorial
    assert f"--port {taken}" not in tutorial


def test_every_example_for_participants_works(tmp_path: Path) -> None:
    page = (DOCS / "participants.md").read_text(encoding="utf-8")
    page = page.replace("https://podium.example", "http://127.0.0.1:8000 < ada.token")
    newest = "$(podium submissions otto --csv | sed -n 2p | cut -d, -f1)"
    page = page.replace(" ID -o", f" {newest} -o").replace(" otto ID\n", f" otto {newest}\n")
    work(page, INSTALLATION + COMPETITIONS.lstrip(), tmp_path)


def test_every_example_for_organizers_works(tmp_path: Path) -> None:
    page = (DOCS / "organizers.md").read_text(encoding="utf-8")
    signed_in = "export PODIUM_URL=$SERVER PODIUM_TOKEN=$PODIUM_ADMIN_TOKEN"
    newest = "$(podium rejudgings otto --csv | sed -n 2p | cut -d, -f1)"
    page = page.replace("--apply ID", f"--apply {newest}")
    work(page, INSTALLATION + signed_in, tmp_path)


def test_the_readme_shows_examples_of_the_guides() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    guides = [(DOCS / name).read_text(encoding="utf-8") for name in ("start.md", "participants.md")]
    run = {_bare(step) for guide in guides for step in steps_of(guide)}
    shown = {_bare(step) for step in steps_of(readme)} - {"make demo", "make test"}
    assert shown - run == {
        "git clone https://github.com/podium-scorer/podium && cd podium",
        "python3 -m venv ~/podium-env && . ~/podium-env/bin/activate",
        'pip install "podium-scorer[score] @ git+https://github.com/podium-scorer/podium"',
    }


def _bare(step: Step) -> str:
    return step.source.partition("  #")[0].strip()


def test_what_the_tutorial_promises_is_really_compared() -> None:
    (listed,) = steps_of("```console\n$ list\nteam  score\n…  0.5…\n```\n")
    assert listed.explains("team      score\nTeam Ada  0.57\n")
    assert not listed.explains("team      score\nTeam Ada  0.61\n")
    assert not listed.explains("team      score\nTeam Ada  0.57\nmore\n")
    (open_,) = steps_of("```console\n$ list\n…\nlast\n```\n")
    assert open_.explains("last\n")
    assert open_.explains("one\ntwo\nlast\n")
    assert not open_.explains("last\nmore\n")


@pytest.mark.timeout(1200)
@pytest.mark.parametrize(
    ("page", "port"), [("course", "8020"), ("movielens", "8030"), ("custom-metrics", "8040")]
)
def test_every_line_of_a_page_works_and_prints_what_it_says(
    page: str, port: str, tmp_path: Path
) -> None:
    examples = steps_of((DOCS / f"{page}.md").read_text(encoding="utf-8"))
    folder = tmp_path / "empty"
    # A launch starts many processes that run a custom metric.
    printed = list(outputs(examples, folder, environment(tmp_path), port_there=port, seconds=1100))
    for step, output in zip(examples, printed, strict=True):
        assert step.explains(output), f"{step.source}\nprinted\n{output}"


def test_every_line_about_ab_tests_works_and_prints_what_it_says(tmp_path: Path) -> None:
    page = steps_of((DOCS / "experiments.md").read_text(encoding="utf-8"))
    printed = list(outputs(page, tmp_path / "empty", environment(tmp_path)))
    for step, output in zip(page, printed, strict=True):
        assert step.explains(output), f"{step.source}\nprinted\n{output}"
