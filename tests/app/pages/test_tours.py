"""Tours: their files are well formed, and what they state is true of the shipped models."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import httpx
import numpy as np
import pytest
from pydantic import ValidationError

from heed.app.inference.execution import trace_bytes
from heed.app.pages.assets import STATIC
from heed.app.pages.glossary import Glossary
from heed.app.pages.table import Table, table_of
from heed.app.pages.tours import Fact, Step, Tour, Tours
from heed.app.schemas import TokenAxisOut, TraceOut
from heed.models.catalogue import Catalogue
from heed.models.generation.picture_pipeline import PictureRequest
from heed.models.generation.translator import TextRequest
from heed.models.pictures.decode import decode_picture

MOST_WORDS = 50
TOURS = Tours().all
STEPS = [
    pytest.param(step, id=f"{tour.name}-{at}")
    for tour in TOURS
    for at, step in enumerate(tour.steps, 1)
]
CATALOGUE = Catalogue()
AT_LONG = "?tour=attention&at=" + "1" * 5000  # int() converts at most 4300 digits


@cache
def result(model: str, page: str, content: str) -> TraceOut:
    """Run a shipped model on a text, or on a sample photo."""
    pipeline = CATALOGUE.load(model)
    if page == "picture":
        photo = decode_picture((STATIC / "samples" / f"{content}.jpg").read_bytes())
        (trace,) = pipeline.run([PictureRequest(photo)])
    else:
        (trace,) = pipeline.run([TextRequest(content)])
    return TraceOut.model_validate_json(trace_bytes(trace, "steps"))


def words(axis: TokenAxisOut) -> list[str]:
    return [word.text for word in axis.words]


def strongest(table: Table, row: str) -> tuple[str, float]:
    """The column with the largest weight of a row, and the weight."""
    weights = np.asarray(next(cells for name, cells in table.rows if name == row), dtype=float)
    return table.columns[int(weights.argmax())], float(weights.max())


def check(fact: Fact, step: Step) -> None:
    """Compare a fact with the result of its model."""
    address = step.state.address
    content = address["sample" if step.state.page == "picture" else "text"]
    trace = result(fact.model or str(address["model"]), step.state.page, str(content))
    if fact.writes is not None:
        assert trace.text == fact.writes
    # A word of the list stands in the text as a word, whatever the model's own units are.
    found = set(re.findall(r"\w+", trace.text.lower()))
    assert found.issuperset(fact.contains), trace.text
    assert found.isdisjoint(fact.lacks), trace.text
    if fact.ends:
        assert trace.finish == "end"
    if fact.row is not None:
        table = table_of(trace)
        assert table is not None
        column, weight = strongest(table, fact.row)
        assert column == fact.strongest
        assert weight >= fact.at_least


@pytest.mark.parametrize("step", STEPS)
def test_the_facts_of_a_step_are_true_of_the_shipped_models(step: Step) -> None:
    assert step.state.facts
    for fact in step.state.facts:
        check(fact, step)


def test_a_false_fact_is_found() -> None:
    step = next(step for step in TOURS[0].steps if step.state.address.get("view") == "step")
    for wrong in (
        Fact(writes="Autre chose."),
        Fact(contains=("autre",)),
        Fact(lacks=("blanche",)),
        Fact(row="blanche", strongest="house"),
        Fact(row="blanche", strongest="white", at_least=1.0),
    ):
        with pytest.raises(AssertionError):
            check(wrong, step)


@pytest.mark.parametrize("step", STEPS)
def test_a_step_has_few_words_and_its_terms_exist(step: Step) -> None:
    assert 10 < step.words <= MOST_WORDS
    terms = re.findall(r'aria-describedby="term-([a-z-]+)"', step.prose)
    assert set(terms) <= Glossary().terms.keys()
    assert len(terms) == len(set(terms))


@pytest.mark.parametrize("step", STEPS)
def test_a_step_names_a_model_and_settings_that_exist(step: Step) -> None:
    address = step.state.address
    known = (STATIC / "js/core" / f"{'grid_' * (step.state.page == 'picture')}state.js").read_text()
    views = (STATIC / "js/core/views.js").read_text()
    for name in address:
        assert re.search(rf"\b{name}: setting\(|\b{name}: viewField\(", known + views), name
    for model in f"{address['model']} {address.get('with', '')}".split():
        assert model in CATALOGUE.cards
    assert f'name: "{address["view"]}"' in views


def test_the_tour_of_the_front_page_has_seven_steps_and_ends_with_a_photo() -> None:
    tour = next(tour for tour in TOURS if tour.name == "attention")
    assert len(tour.steps) == 7
    assert tour.steps[-1].state.page == "picture"


@pytest.mark.parametrize("step", STEPS)
def test_a_page_has_the_words_of_its_step(client: httpx.Client, step: Step) -> None:
    page = client.get(step.href).text
    assert str(step.prose) in page
    assert 'aria-current="step"' in page
    assert "data-tour" in page


@pytest.mark.parametrize("tour", TOURS, ids=lambda tour: tour.name)
def test_a_tour_ends_on_three_next_steps(client: httpx.Client, tour: Tour) -> None:
    *before, last = (client.get(step.href).text for step in tour.steps)
    assert not any("tour-onward" in page for page in before)
    addresses = re.findall(r'<li><a href="([^"]+)">', last.partition("tour-onward")[2])
    assert len(addresses[:3]) == 3
    assert all(client.get(address).status_code == 200 for address in addresses[:3])


def test_the_pages_of_texts_and_photos_show_how_to_see_a_model_of_ones_own(
    client: httpx.Client,
) -> None:
    for path in ("/", "/picture"):
        page = client.get(path).text
        assert "Your own model" in page
        assert "trace.show()" in page


def test_a_short_link_leads_to_its_step(client: httpx.Client) -> None:
    tour = TOURS[0]
    for at, step in enumerate(tour.steps, 1):
        answer = client.get(tour.link(at))
        assert answer.is_redirect
        assert answer.headers["location"] == step.href
    assert client.get(f"/tour/{tour.name}").headers["location"] == tour.steps[0].href


@pytest.mark.parametrize(
    "path", ["gone", "attention/0", "attention/99", "attention/x", "attention/²"]
)
def test_a_step_that_does_not_exist_is_not_found(client: httpx.Client, path: str) -> None:
    assert client.get(f"/tour/{path}", headers={"Accept": "text/html"}).status_code == 404


def test_all_tours_are_listed(client: httpx.Client) -> None:
    page = client.get("/tour").text
    for tour in TOURS:
        assert tour.heading.title in page
        assert all(f'href="{tour.link(at)}"' in page for at in range(1, len(tour.steps) + 1))


def test_a_page_without_a_tour_or_with_a_wrong_one_has_no_panel(client: httpx.Client) -> None:
    for query in ("", "?tour=gone", "?tour=attention&at=99", "?tour=attention&at=x", AT_LONG):
        assert 'id="tour"' not in client.get(f"/{query}").text


# --- files ------------------------------------------------------------------------------------

HEAD = '+++\ntitle = "T"\ndescription = "D"\norder = 1\n+++\n'


def written(folder: Path, text: str) -> Path:
    path = folder / "one.md"
    path.write_text(text, "utf-8")
    return path


def test_a_tour_is_read_from_its_file(tmp_path: Path) -> None:
    text = (
        HEAD
        + '\n## A <b> title\n\n```toml\nmodel = "m"\ntext = "a & b"\nstep = 3\n```\n'
        + "\nFour *plain* <i> words.\n"
    )
    tour = Tour(written(tmp_path, text))
    (step,) = tour.steps
    assert step.title == "A <b> title"
    assert step.prose == "<p>Four <em>plain</em> &lt;i&gt; words.</p>\n"
    assert step.href == "/?model=m&text=a+%26+b&step=3&tour=one&at=1"
    assert [tour.name for tour in Tours(tmp_path).all] == ["one"]


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
        Tour(written(tmp_path, text))
