from __future__ import annotations

from training.common.metrics_table import (
    GLOSSARY,
    glossary,
    meaning,
    metrics_table,
    shipped_figures,
    with_metrics_table,
)

QUALITY = {"tatoeba_bleu": 61.25, "names_kept": 0.5, "words_known": 1.0, "cider": 0.125, "a": 3.0}
QUALITY |= {"b": 4.0, "c": 5.0}


def test_a_table_has_six_figures_in_a_row_and_the_rest_in_the_last() -> None:
    header, rule, first, last = metrics_table(QUALITY).splitlines()
    assert header.count("figure") == rule.count("---|---") == 6
    assert first.startswith("| `tatoeba_bleu` | 61.25 | `names_kept` | 0.5 | `words_known` | 1 |")
    assert last == "| `c` | 5 |"
    assert metrics_table({"a": 1.0}).splitlines()[0] == "| figure | value |"


def test_new_figures_replace_the_table_of_a_card_and_nothing_else() -> None:
    card = "# m\n\n## Quality\n" + metrics_table({"old": 1.0} | QUALITY) + "\n| `x` | kept |\n"
    made = with_metrics_table(card, QUALITY)
    assert made == "# m\n\n## Quality\n" + metrics_table(QUALITY) + "\n| `x` | kept |\n"
    assert with_metrics_table(made, {}).count("`") == 2


def test_a_meaning_names_the_layer_and_the_set() -> None:
    assert "layer 1, head 3" in meaning("alignment_layer1_head3")
    assert "Multi30k val" in meaning("multi30k_bleu")


def test_heads_and_layers_stand_once_in_the_glossary() -> None:
    text = glossary(["scenes_layer0_head1", "scenes_layer1_head0", "scenes_layer0_mean", "cider"])
    assert text.count("`scenes_layerL_headH`") == text.count("`scenes_layerL_mean`") == 1
    assert "layer L, head H" in text


def test_the_glossary_in_the_docs_explains_every_shipped_figure() -> None:
    figures = shipped_figures()
    assert GLOSSARY.read_text("utf-8") == glossary(figures)
    assert all(meaning(name) != name.replace("_", " ") for name in figures)
