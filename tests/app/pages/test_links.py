"""What an address says."""

from __future__ import annotations

from dataclasses import replace

from starlette.datastructures import QueryParams

from heed.app.pages.links import Link, Looks, Question, link_of
from tests.app.pages.test_example import card


def read(query: str) -> Link:
    return link_of(QueryParams(query))


def test_an_empty_address_asks_for_the_first_example_as_it_opens() -> None:
    link = read("")
    assert link == Link(Question(), Looks(), waits=False)
    asked = link.question.asked(card())
    assert (asked.text, asked.model, asked.target) == (card().examples[0], card().id, None)


def test_what_is_asked_and_how_it_is_looked_at_are_told_apart() -> None:
    link = read("text=a+b%26&search=beam&beam=3&view=lines&step=2&log=true&wait=1&theme=dark")
    assert link.question == Question(text="a b&", search="beam", beam=3)
    assert link.looks == Looks(view="lines", step=2, log=True)
    assert link.waits
    asked = link.question.asked(card())
    assert (asked.search.kind, asked.search.beam) == ("beam", 3)


def test_what_makes_no_sense_is_taken_as_not_said_and_the_rest_holds() -> None:
    link = read("text=a&beam=99&temperature=nan&view=upside-down&step=0&scale=row")
    assert link.question == Question(text="a")
    assert link.looks == Looks(scale="row")


def test_of_a_name_given_twice_the_first_counts() -> None:
    assert read("text=a&text=b").question.text == "a"


def test_a_head_of_self_attention_that_is_taken_apart_wants_the_vectors_of_all() -> None:
    many, one = replace(card(), mechanism="multihead"), card()
    own = read("view=step&map=encoder-self")
    assert own.asked(many).vectors == "all"
    assert own.asked(one).vectors == "cross"
    for query in ("view=map&map=encoder-self", "view=step&map=cross", "view=step"):
        assert read(query).asked(many).vectors == "cross"
    assert read("view=step&map=decoder-self&pool=mean").asked(many).vectors == "cross"
