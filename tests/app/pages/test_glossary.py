"""The glossary: one file for the pages, the documentation and the terms in them."""

from __future__ import annotations

import re
from pathlib import Path

import httpx
import pytest

from heed.output.page.glossary import SOURCE, TARGET, Glossary

ROOT = Path(__file__).parents[3]
GLOSSARY = Glossary()
LONGEST = 130
"""Characters of a meaning: about two lines in a small box."""


def test_the_document_is_up_to_date() -> None:
    assert TARGET.read_text("utf-8") == GLOSSARY.markdown(), "make glossary"


@pytest.mark.parametrize("id", GLOSSARY.terms)
def test_a_meaning_is_one_short_sentence(id: str) -> None:
    means = GLOSSARY.terms[id].means
    assert len(means) <= LONGEST
    assert means.endswith(".")
    assert re.fullmatch(r"[a-z]+(-[a-z]+)*", id)


@pytest.mark.parametrize("path", ["/", "/picture"])
def test_a_page_has_every_meaning_once(client: httpx.Client, path: str) -> None:
    page = client.get(path).text
    for id in GLOSSARY.terms:
        assert page.count(f' id="term-{id}"') == 1


def test_every_term_of_the_scripts_and_templates_exists() -> None:
    scripts = [path.read_text("utf-8") for path in (ROOT / "static/js").rglob("*.js")]
    used = {
        id
        for script in scripts
        for block in re.findall(r"TERMS = \{(.*?)\}", script, re.DOTALL)
        for id in re.findall(r': "([a-z-]+)"', block)
    }
    used |= {id for script in scripts for id in re.findall(r'\bterm\("([a-z-]+)"', script)}
    templates = [path.read_text("utf-8") for path in SOURCE.parent.rglob("*.html")]
    used |= {id for text in templates for id in re.findall(r'\bterm\("([a-z-]+)"', text)}
    assert used <= GLOSSARY.terms.keys()


def test_a_term_is_described_by_its_meaning_and_its_text_is_escaped() -> None:
    assert GLOSSARY.term("softmax", "<b>") == (
        '<span role="button" tabindex="0" class="term" aria-describedby="term-softmax">'
        "&lt;b&gt;</span>"
    )
