"""Where a captioner looks: the measure on maps that are known, and on models that know nothing."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from heed.models.catalogue import Catalogue
from heed.models.generation.picture_pipeline import PicturePipeline, PictureRequest
from heed.models.networks.mobilenet import CELLS, GRID
from heed.models.trace import AttentionMap, Floats, Trace
from tests.models.tiny import write_tiny_captioners
from training.caption.drawn_scenes import Box
from training.caption.localization import (
    Localization,
    LocatedCaption,
    LocatedWord,
    best_map,
    covered_cells,
    cross_maps,
    head_figures,
    inside,
    localization_figures,
    located_scenes,
    measure_localization,
)

LIMITS = {"characters": 200, "tokens": 200, "steps": 60}
SHOWN = list(located_scenes(4, seed=1))


@pytest.fixture(scope="module")
def captioners(tmp_path_factory: pytest.TempPathFactory) -> dict[str, PicturePipeline]:
    catalogue = Catalogue(write_tiny_captioners(tmp_path_factory.mktemp("weights"), limits=LIMITS))
    cards = [card for card in catalogue.cards.values() if card.task == "caption"]
    return {card.mechanism: catalogue.load(card.id) for card in cards}  # type: ignore[misc]


class Seer:
    """A captioner that looks where it should, at the step that writes a word or at the next."""

    def __init__(self, inner: PicturePipeline, shown: list[LocatedCaption], late: int = 0) -> None:
        self._inner, self._late = inner, late
        self._spots = {id(each.picture): each.spots for each in shown}

    def run(self, asks: list[PictureRequest]) -> list[Trace]:
        pairs = zip(asks, self._inner.run(asks), strict=True)
        return [self._seen(trace, self._spots[id(ask.picture)]) for ask, trace in pairs]

    def _seen(self, trace: Trace, spots: tuple[LocatedWord, ...]) -> Trace:
        weights: Floats = np.zeros((len(trace.output.target), CELLS), np.float32)
        weights[:, 0] = 1
        for row, token in enumerate(trace.output.target.tokens):
            for spot in spots:
                if spot.start <= token.start < token.end <= spot.end:
                    cell = int(spot.inside.argmax())
                    weights[row + self._late] = np.eye(CELLS, dtype=np.float32)[cell]
        cross = AttentionMap("cross", 0, 0, "target", "source", weights, weights)
        return replace(trace, output=replace(trace.output, maps=(cross,)))


# --- the measure ------------------------------------------------------------------------------


def test_a_box_is_grown_by_half_a_cell() -> None:
    cells = covered_cells(Box(2 / GRID, 3 / GRID, 4 / GRID, 4 / GRID)).reshape(GRID, GRID)
    np.testing.assert_allclose(cells[3, 1:5], [0.5, 1, 1, 0.5], atol=1e-6)
    np.testing.assert_allclose(cells[2:5, 2], [0.5, 1, 0.5], atol=1e-6)
    assert cells[2, 1] == pytest.approx(0.25)
    assert cells.sum() == pytest.approx(3 * 2)


def test_a_box_at_the_edge_ends_there() -> None:
    assert covered_cells(Box(0, 0, 1, 1)).min() == 1
    assert covered_cells(Box(0, 0, 1 / GRID, 1 / GRID)).sum() == pytest.approx(1.5 * 1.5)


def test_even_weights_have_what_chance_has() -> None:
    spot = SHOWN[0].spots[0]
    found = Localization()
    found.add(np.full(CELLS, 1 / CELLS, np.float32), spot)
    means = found.means()
    assert means["inside"] == pytest.approx(means["chance"], abs=1e-6)
    assert means["elsewhere"] == pytest.approx(means["chance"], abs=1e-6)


def test_who_looks_at_the_right_place_has_everything_inside(
    captioners: dict[str, PicturePipeline],
) -> None:
    sums = measure_localization(Seer(captioners["soft"], SHOWN), SHOWN)  # type: ignore[arg-type]
    assert best_map(sums) == ""
    figures = localization_figures(sums, "scenes", "")
    for kind in ("noun", "colour"):
        assert figures[f"scenes_{kind}_inside"] == figures[f"scenes_{kind}_strongest"] == 1
        assert figures[f"scenes_{kind}_elsewhere"] == 0
        assert 0.02 < figures[f"scenes_{kind}_chance"] < 0.3
    assert figures["scenes_noun_words"] == sum(s.kind == "noun" for e in SHOWN for s in e.spots)
    # Words have several pieces here: all but the last of them are followed by another.
    assert 0 < figures["scenes_noun_later"] < 1


def test_who_looks_a_step_late_is_found_out(captioners: dict[str, PicturePipeline]) -> None:
    sums = measure_localization(Seer(captioners["soft"], SHOWN, late=1), SHOWN)  # type: ignore[arg-type]
    figures = localization_figures(sums, "scenes", "")
    assert figures["scenes_noun_later"] == 1
    assert figures["scenes_noun_inside"] < 1


# --- models -----------------------------------------------------------------------------------


def test_a_model_that_knows_nothing_is_no_better_than_chance(
    captioners: dict[str, PicturePipeline],
) -> None:
    sums = measure_localization(captioners["soft"], SHOWN)
    figures = localization_figures(sums, "scenes", best_map(sums))
    assert figures["scenes_noun_inside"] == pytest.approx(figures["scenes_noun_chance"], rel=0.3)
    assert head_figures(sums, "scenes") == {}


def test_what_hard_attention_drew_is_held_against_the_boxes_too(
    captioners: dict[str, PicturePipeline],
) -> None:
    sums = measure_localization(captioners["hard"], SHOWN)
    assert 0 <= localization_figures(sums, "scenes", "")["scenes_noun_drawn"] <= 1
    (trace,) = captioners["hard"].run([PictureRequest(SHOWN[0].picture, target="a ball")])
    drawn = cross_maps(trace.output)["drawn"]
    assert [int(row.argmax()) for row in drawn] == [
        step.drawn.cell for step in trace.output.steps if step.drawn
    ]
    np.testing.assert_array_equal(drawn.sum(axis=1), 1)


def test_every_head_is_measured_and_so_is_the_mean_of_a_layer(
    captioners: dict[str, PicturePipeline],
) -> None:
    sums = measure_localization(captioners["multihead"], SHOWN)
    figures = head_figures(sums, "scenes")
    heads = ["layer0_head0", "layer0_head1", "layer1_head0", "layer1_head1"]
    assert list(figures) == [f"scenes_{name}" for name in (*heads, "layer0_mean", "layer1_mean")]
    best = best_map(sums)
    assert inside(sums, best) == max(inside(sums, name) for name in heads)
    mean = (figures["scenes_layer0_head0"] + figures["scenes_layer0_head1"]) / 2
    assert figures["scenes_layer0_mean"] == pytest.approx(mean, abs=1e-5)


def test_scenes_are_squashed_as_a_users_picture_is(tmp_path: Path) -> None:
    picture = SHOWN[0].picture
    assert picture.pixels.shape == (224, 224, 3)
    assert (picture.width, picture.height) == (640, 480)
