"""Lessons: their files are well formed, and what they state is true of the shipped models."""

from __future__ import annotations

import base64
import json
import re
import subprocess
import zlib
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from typing import Any, get_args

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from heed.app.cli import main
from heed.app.inference.execution import trace_bytes
from heed.app.pages.assets import STATIC
from heed.app.pages.lesson_file import lesson_file, states_of
from heed.app.pages.lesson_run import TimelineRequest, all_figures, all_runs, asked_in
from heed.app.pages.lesson_units import CheckKey, Parameters, Statement
from heed.app.pages.lessons import TOOLS, UNKNOWN, Lesson, Lessons, Step
from heed.app.pages.own_lesson import MOST_PACKED, own_lesson
from heed.models.catalogue import DEFAULT_DIRECTORY, Catalogue
from heed.models.pictures.decode import decode_picture
from heed.output.page.glossary import Glossary
from tests.conftest import node

MOST_WORDS = 60
CATALOGUE = Catalogue()
LESSONS = Lessons(CATALOGUE.cards).all
ALL = [step for lesson in LESSONS for step in lesson.steps]
STEPS = [pytest.param(step, id="-".join(map(str, step.place.values()))) for step in ALL]
AT_LONG = "?lesson=attention&at=" + "1" * 5000  # int() converts at most 4300 digits


def those(lesson: Lesson, wanted: Callable[[Step], object]) -> list[Step]:
    """The steps of a lesson on whose page a model runs, of a kind."""
    return [step for step in lesson.steps if step.shows_model and wanted(step)]


def _has_choices(step: Step) -> bool:
    predict = step.state.predict
    return bool(step.state.check or (predict and predict.of != "cell"))


@cache
def _result(address: str, model: str) -> str:
    """Run a shipped model on what the address of a page asks."""
    task, asked = asked_in(json.loads(address) | {"model": model}, CATALOGUE)
    request = task.prepared(asked.options, CATALOGUE.cards[model])
    if task.upload and asked.file:
        request = task.upload.filled(request, decode_picture(asked.file))
    (trace,) = CATALOGUE.load(model).run([request])
    return trace_bytes(trace, "steps").decode()


def run_of(step: Step, statement: Statement | None = None, change: Parameters | None = None) -> Any:
    """The run that a step shows, with other parameters, and what else its statement needs."""
    state = step.state
    address = {**state.address, **(change or {})}
    asked = json.dumps(address, sort_keys=True)
    model = (statement and statement.model) or str(address["model"])
    others = [each for each in _others(statement) if each]
    return {
        "trace": json.loads(_result(asked, model)),
        "authored": state.address.get("text", ""),
        "edited": "edits" in address,
        "step": int(address.get("step", 1)) - 1,
        "others": {one: json.loads(_result(asked, one))["text"] for one in others},
    }


def _others(statement: Statement | None) -> tuple[str | None, ...]:
    return (statement.same_as, statement.differs_from) if statement else ()


def said(*cases: Mapping[str, Any]) -> dict[str, Any]:
    """Return the verdicts of the script of the page on runs."""
    script = Path(__file__).parent / "verdicts.mjs"
    done = subprocess.run(
        [node(), script], input=json.dumps(cases), capture_output=True, text=True, check=True
    )
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer


def unmet(*cases: tuple[Statement, Any]) -> list[list[str]]:
    """The conditions of statements that their runs do not meet."""
    dumped = [
        {"statement": one.model_dump(exclude_defaults=True), "run": run} for one, run in cases
    ]
    answers: list[list[str]] = said(*dumped)["answers"]
    return answers


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.name)
def test_the_facts_of_a_lesson_are_true_of_the_shipped_models(lesson: Lesson) -> None:
    steps = those(lesson, lambda _: True)
    assert all(step.state.facts for step in steps)
    stated = [(step, fact) for step in steps for fact in step.state.facts]
    runs = [run_of(step, fact) for step, fact in stated]
    found = unmet(*((fact, run) for (_, fact), run in zip(stated, runs, strict=True)))
    wrong = [
        (step.title, names, run["trace"]["text"])
        for (step, _), names, run in zip(stated, found, runs, strict=True)
        if names
    ]
    assert wrong == []


@pytest.mark.parametrize("lesson", LESSONS[1:], ids=lambda lesson: lesson.name)
def test_a_goal_is_not_reached_at_first_and_is_by_what_its_step_shows(lesson: Lesson) -> None:
    goals = [(step, step.state.do) for step in those(lesson, lambda step: step.state.do)]
    before = [(do.goal, run_of(step, do.goal)) for step, do in goals if do]
    after = [(do.goal, run_of(step, do.goal, do.show)) for step, do in goals if do]
    titles = [step.title for step, _ in goals]
    first, then = unmet(*before), unmet(*after)
    assert [title for title, names in zip(titles, first, strict=True) if not names] == []
    assert [(title, names) for title, names in zip(titles, then, strict=True) if names] == []


@pytest.mark.parametrize("lesson", LESSONS[1:], ids=lambda lesson: lesson.name)
def test_a_question_about_a_run_has_choices_and_one_of_them_is_the_best(lesson: Lesson) -> None:
    steps = those(lesson, _has_choices)
    asked = [{"offered": json.loads(step.task), "run": run_of(step)} for step in steps]
    for step, options in zip(steps, said(*asked)["answers"], strict=True):
        values = [option["value"] for option in options]
        assert len(values) > 1, step.title
        assert values.count(max(values)) == 1, step.title


def test_the_page_knows_every_condition_and_every_question() -> None:
    known = said()
    assert set(known["checks"]) == set(get_args(CheckKey))
    arguments = {"model", "row", "at_least"}  # those of other conditions
    assert set(known["conditions"]) == Statement.model_fields.keys() - arguments


def test_a_false_fact_is_found() -> None:
    step = next(step for step in LESSONS[0].steps if step.state.address.get("view") == "step")
    run = run_of(step)
    wrong = (
        Statement(writes="Autre chose."),
        Statement(contains=("autre",)),
        Statement(lacks=("blanche",)),
        Statement(row="blanche", strongest="house"),
        Statement(row="blanche", strongest="white", at_least=1.0),
    )
    assert all(unmet(*((fact, run) for fact in wrong)))


@pytest.mark.parametrize("lesson", LESSONS[1:], ids=lambda lesson: lesson.name)
def test_at_most_half_of_the_steps_of_a_lesson_are_read_alone(lesson: Lesson) -> None:
    kinds = [step.state.kind for step in lesson.steps]
    assert kinds.count("read") <= len(kinds) / 2
    assert {"do", "predict", "check"} & set(kinds)
    assert lesson.notes
    assert UNKNOWN not in lesson.notes
    assert 5 <= lesson.minutes <= 15


def test_a_lesson_begins_with_two_questions_on_the_one_before() -> None:
    for lesson in LESSONS[2:]:
        assert len(lesson.steps[0].state.recall) == 2, lesson.name


@pytest.mark.parametrize("step", STEPS)
def test_a_step_has_few_words_and_its_terms_exist(step: Step) -> None:
    assert 5 < step.words <= MOST_WORDS
    terms = re.findall(r'aria-describedby="term-([a-z-]+)"', step.prose)
    assert set(terms) <= Glossary().terms.keys()
    assert len(terms) == len(set(terms))
    assert UNKNOWN not in str(step.prose)  # a figure that no card has


@pytest.mark.parametrize("step", STEPS)
def test_a_step_names_a_model_and_settings_that_exist(step: Step) -> None:
    if not step.shows_model:
        return
    files = ("state", "grid_state", "page_fields", "views", "patch_state", "page", "model_page")
    known = "".join((STATIC / f"js/core/{file}.js").read_text() for file in files)
    for parameters in (step.state.address, *step.changes):
        for name in parameters.keys() - {"story", "question", "graph", "edits", "editing"}:
            assert re.search(rf"\b{name}: (setting|scaleField|viewField)\(|\b{name}: \{{", known), (
                name
            )
        for model in f"{parameters.get('model', '')} {parameters.get('with', '')}".split():
            assert model in CATALOGUE.cards
        if view := parameters.get("view"):
            assert f'name: "{view}"' in known


def test_the_lesson_of_the_front_page_has_seven_steps_and_ends_with_a_photo() -> None:
    lesson = next(lesson for lesson in LESSONS if lesson.name == "attention")
    assert len(lesson.steps) == 7
    assert lesson.steps[-1].state.page == "picture"


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.name)
def test_a_page_has_the_words_of_its_step_and_the_last_has_three_next_ones(
    client: httpx.Client, lesson: Lesson
) -> None:
    for step in (lesson.steps[1], lesson.steps[-1]):
        page = client.get(step.href).text
        assert str(step.prose) in page
        assert 'aria-current="step"' in page
        assert "data-lesson" in page
        assert ("lesson-onward" in page) == (step is lesson.steps[-1])
    addresses = re.findall(r'<li><a href="([^"]+)">', page.partition("lesson-onward")[2])
    assert len(addresses[:3]) == 3


def test_the_pages_of_texts_and_photos_show_how_to_see_a_model_of_ones_own(
    client: httpx.Client,
) -> None:
    for path in ("/", "/picture"):
        page = client.get(path).text
        assert "Your own model" in page
        assert "trace.show()" in page


def test_a_short_link_leads_to_its_step(client: httpx.Client) -> None:
    lesson = LESSONS[0]
    for at, step in enumerate(lesson.steps, 1):
        answer = client.get(lesson.link(at))
        assert answer.is_redirect
        assert answer.headers["location"] == step.href
    assert client.get(f"/learn/{lesson.name}").headers["location"] == lesson.steps[0].href


@pytest.mark.parametrize(
    "path", ["gone", "attention/0", "attention/99", "attention/x", "attention/²"]
)
def test_a_step_that_does_not_exist_is_not_found(client: httpx.Client, path: str) -> None:
    assert client.get(f"/learn/{path}", headers={"Accept": "text/html"}).status_code == 404


def test_all_lessons_are_listed(client: httpx.Client) -> None:
    page = client.get("/learn").text
    for lesson in LESSONS:
        assert lesson.title in page
        assert all(f'href="{lesson.link(at)}"' in page for at in range(1, len(lesson.steps) + 1))


def test_the_twelve_lessons_are_two_presses_from_the_front_page(client: httpx.Client) -> None:
    assert [lesson.order for lesson in LESSONS] == list(range(13))
    assert 'href="/learn"' in client.get("/").text
    listed = client.get("/learn").text
    assert all(f'<a href="{lesson.link(1)}">' in listed for lesson in LESSONS)


def test_a_page_without_a_lesson_or_with_a_wrong_one_has_no_panel(client: httpx.Client) -> None:
    for query in ("", "?lesson=gone", "?lesson=attention&at=99", "?lesson=attention&at=x", AT_LONG):
        assert 'id="lesson"' not in client.get(f"/{query}").text


@pytest.mark.parametrize("path", ["/", *TOOLS.values()])
def test_of_a_repeated_parameter_every_page_takes_the_first(
    client: httpx.Client, path: str
) -> None:
    for names, shown in (("attention", "gone"), True), (("gone", "attention"), False):
        query = "&".join(f"lesson={name}" for name in names)
        assert ('id="lesson"' in client.get(f"{path}?{query}").text) is shown


# --- files ------------------------------------------------------------------------------------

HEAD = '+++\ntitle = "T"\ndescription = "D"\norder = 1\nminutes = 5\nnotes = "N"\n+++\n'


def written(folder: Path, text: str) -> Path:
    path = folder / "one.md"
    path.write_text(text, "utf-8")
    return path


def test_the_addresses_of_tours_lead_to_lessons(client: httpx.Client) -> None:
    for old, new in (
        ("/tour", "/learn"),
        ("/tour/attention/3", "/learn/attention/3"),
        ("/?tour=attention&at=3&view=step", "/?lesson=attention&at=3&view=step"),
        ("/picture?tour=attention&at=7", "/picture?lesson=attention&at=7"),
    ):
        answer = client.get(old)
        assert answer.status_code == 308
        location = answer.headers["location"]
        assert location.partition("?")[0] == new.partition("?")[0]
        assert dict(httpx.URL(location).params) == dict(httpx.URL(new).params)


def test_a_lesson_is_read_from_its_file(tmp_path: Path) -> None:
    text = (
        HEAD
        + '\n## A <b> title\n\n```toml\nmodel = "m"\ntext = "a & b"\nstep = 3\n```\n'
        + "\nFour *plain* <i> words.\n"
    )
    lesson = Lesson.read(written(tmp_path, text))
    (step,) = lesson.steps
    assert step.title == "A <b> title"
    assert step.prose == "<p>Four <em>plain</em> &lt;i&gt; words.</p>\n"
    assert step.href == "/?model=m&text=a+%26+b&step=3&lesson=one&at=1"
    assert [lesson.name for lesson in Lessons({}, tmp_path).all] == ["one"]


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("## A\n", ValueError),
        (HEAD + "\n## A\n\nNo block.\n\nAnd more.\n", ValueError),
        (HEAD + '\n## A\n\n```toml\npage = "film"\n```\n\nB.\n', ValidationError),
        (HEAD + "\n## A\n\n```toml\nfacts = [{ wirtes = '' }]\n```\n\nB.\n", ValidationError),
        ('+++\ntitle = "T"\n+++\n', ValidationError),
    ],
)
def test_a_file_with_a_mistake_is_refused(
    tmp_path: Path, text: str, error: type[Exception]
) -> None:
    with pytest.raises(error):
        Lesson.read(written(tmp_path, text))


# --- files for teachers -----------------------------------------------------------------------


@pytest.mark.parametrize("name", ["one-vector"])
def test_a_lesson_is_printed_and_kept_as_one_file(client: httpx.Client, name: str) -> None:
    notes, printed, file = (
        client.get(f"/learn/{name}/{what}") for what in ("notes", "handout", "lesson.html")
    )
    assert "What goes wrong" in notes.text
    assert "<svg" in printed.text
    asked, answers = printed.text.split("<h2>Answers</h2>")
    assert "regardant" not in asked.split("Guess what was lost")[1].split("</section>")[0]
    assert "regardant" in answers
    assert "attachment" in file.headers["content-disposition"]
    assert not re.search(r"(?:src|href)=.https?:", file.text)
    assert client.get("/learn/gone/handout").status_code == 404


def test_a_lesson_in_one_file_has_the_page_of_every_step() -> None:
    for step in ALL:
        assert list(states_of(step, CATALOGUE)), step.title
    figures = {lesson.name: len(all_figures(lesson, CATALOGUE)) for lesson in LESSONS}
    assert {name: count for name, count in figures.items() if count} == {"fast": 2, "worth": 1}


def test_whoever_of_a_class_opens_a_lesson_later_gets_what_was_written(
    served: Callable, monkeypatch: pytest.MonkeyPatch
) -> None:
    written = []

    def count(lesson: Lesson, *given: Any) -> str:
        written.append(lesson.name)
        return lesson_file(lesson, *given)

    monkeypatch.setattr("heed.app.pages.lesson_writer.lesson_file", count)
    settings = {"preload": "none", "deadline_seconds": 600, "cache_bytes": 16_000_000}
    with served(**settings) as server, ThreadPoolExecutor(8) as pool:
        asked = [pool.submit(server.client.get, "/learn/one-vector/lesson.html") for _ in range(8)]
        answers = [each.result() for each in asked]
    assert {answer.status_code for answer in answers} == {200}
    assert len({answer.content for answer in answers}) == 1
    assert written == ["one-vector"]


def test_the_file_of_a_lesson_has_its_timelines_and_its_audit(
    served: Callable, monkeypatch: pytest.MonkeyPatch
) -> None:
    def written(lesson: Lesson, contents: Mapping[str, Any], catalogue: Catalogue) -> str:
        figures = [contents[key] for key in all_figures(lesson, catalogue)]
        return json.dumps([len(contents), figures])

    monkeypatch.setattr("heed.app.pages.lesson_writer.lesson_file", written)
    with served(preload="none") as server:
        for lesson in LESSONS:
            if not (figures := all_figures(lesson, CATALOGUE)):
                continue
            count, held = server.client.get(f"/learn/{lesson.name}/lesson.html").json()
            assert count == len(all_runs(lesson, CATALOGUE)) + len(figures)
            for asked, figure in zip(figures.values(), held, strict=True):
                if isinstance(asked, TimelineRequest):
                    assert (figure["model"], figure["written"][0]) == (asked.asked.model, "La")
                else:
                    assert figure["trace"]["text"] == "Je ne sais pas où elle vit."
                    assert figure["verdict"]


def test_the_sizes_that_lessons_state_are_those_of_the_shipped_networks() -> None:
    networks = (
        json.loads((DEFAULT_DIRECTORY / name / "config.json").read_bytes())["network"]
        for name in ("en-fr-additive", "en-fr-none", "en-fr-transformer")
    )
    chain, none, layers = networks
    assert (none["decoder_width"], none["vocabulary"]) == (512, 8_000)
    assert (layers["heads"], layers["encoder_layers"]) == (4, 3)
    width = chain["encoder_width"]
    gates, directions = 3, 2
    per_word = directions * gates * width * (chain["embedding"] + width)
    in_a_layer = 4 * layers["width"] ** 2 + 2 * layers["width"] * layers["feedforward"]
    assert per_word == in_a_layer == pytest.approx(0.8e6, rel=0.02)


def test_the_command_writes_the_same_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "lesson.html"
    assert main(["lesson", "one-vector", "-o", str(path)]) == 0
    assert capsys.readouterr().out.strip() == str(path)
    assert 'id="packed"' in path.read_text()
    assert main(["lesson", "gone"]) == 2


# --- a lesson of one's own --------------------------------------------------------------------


def test_a_lesson_of_ones_own_is_in_its_link(client: httpx.Client) -> None:
    lines = (
        "/?text=The+dog+sleeps.&view=map&lesson=one-vector&at=3 Where does it look?\n"
        "\n"
        "https://heed.example/picture?sample=sheep <b>And</b> here?\n"
    )
    first = client.get("/learn/mine", params={"title": "My <i> lesson", "steps": lines})
    assert first.status_code == 303
    page = client.get(first.headers["location"]).text
    assert "My &lt;i&gt; lesson" in page
    assert "Where does it look?" in page
    assert "1 of 2" in page
    following = re.search(r'id="lesson-next"[^>]*href="([^"]+)"', page)
    assert following
    second = client.get(following[1].replace("&amp;", "&"))
    assert "&lt;b&gt;And&lt;/b&gt; here?" in second.text
    assert "2 of 2" in second.text


@pytest.mark.parametrize(
    "steps",
    [
        *("", "//evil.example/ x", "javascript:alert(1) x", "/gone x", "/t/a"),
        *("//[ x", "//a\u2100b/ x", f"/?{'a=1&' * 101} x"),
    ],
)
def test_a_lesson_of_ones_own_leads_to_pages_of_this_site_alone(
    client: httpx.Client, steps: str
) -> None:
    answer = client.get("/learn/mine", params={"title": "T", "steps": steps})
    assert answer.status_code == 404 or answer.headers["location"].startswith("/?lesson=mine")


@given(st.text(max_size=200))
def test_any_text_in_a_link_is_no_lesson_or_one(packed: str) -> None:
    lesson = own_lesson(packed)
    assert lesson is None or lesson.steps


def test_a_link_that_grows_without_end_is_refused() -> None:
    bomb = base64.urlsafe_b64encode(zlib.compress(b'["' + b"a" * 4_000_000 + b'",[]]', 9)).decode()
    assert len(bomb) <= MOST_PACKED
    assert own_lesson(bomb.rstrip("=")) is None
