from __future__ import annotations

import re

import pytest

from app.assets import vendor_files
from app.bundle import with_heatmaps_alone

MADE = (
    b'var a=W((t,e)=>{e.exports={moduleType:"trace",name:"bar"}});'
    b"var b=W((t,e)=>{e.exports=a()});"
    b'var c=W((t,e)=>{e.exports={x:1,moduleType:"trace",name:"heatmap"}});'
    b"var $d=W((t,e)=>{e.exports=c()});"
    b"var f=W((t,e)=>{g.register([b(),$d()]);e.exports=g});"
)


def test_the_pinned_bundle_starts_heatmaps_alone() -> None:
    whole = vendor_files()["plotly.min.js"].read_bytes()
    ours = with_heatmaps_alone(whole)
    kinds = re.compile(rb"\.register\(\[([^\]]*)\]\)")
    assert len(kinds.findall(whole)[-1].split(b",")) > 40
    assert re.fullmatch(rb"[\w$]+\(\)", kinds.findall(ours)[-1])
    assert with_heatmaps_alone(ours) == ours
    assert len(whole) - len(ours) < 1000, "nothing else is touched"


def test_the_one_that_draws_heatmaps_stays() -> None:
    assert with_heatmaps_alone(MADE) == MADE.replace(b"[b(),$d()]", b"[$d()]")


@pytest.mark.parametrize(
    "built",
    [
        b"",
        b"window.Plotly={}",
        b"g.register([a(),b()])",
        MADE.replace(b"heatmap", b"other"),
        MADE.replace(b"$d()]", b"other()]"),
        MADE.replace(b"[b(),$d()]", b"[b,$d]"),
        MADE.replace(b".register(", b".add("),
    ],
)
def test_a_bundle_that_is_built_otherwise_is_left_as_it_is(built: bytes) -> None:
    assert with_heatmaps_alone(built) == built
