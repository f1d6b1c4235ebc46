from __future__ import annotations

import re

import pytest

from heed.app.pages.assets import vendor_files
from heed.app.pages.plotly_bundle import with_heatmaps_alone

HEAD = (
    b"var P=(()=>{var D=Object.defineProperty;"
    b"var E=(e,t,r)=>()=>{if(r)throw r[0]};"
    b"var W=(e,t)=>()=>{t||e(t={})},F=(e,t)=>{for(var r in t)D(e,r,{get:t[r]})};"
)
BAR = b'var a=W((t,e)=>{e.exports={moduleType:"trace",name:"bar"}});'
ITS_ENTRY = b"var b=W((t,e)=>{e.exports=a()});"
HELPER = b"var h=W(t=>{t.x=(k3(),s3).y});"
NEWER = b"var n=W(t=>{t.z=1});var s3={};F(s3,{y:()=>y3});function y3(){}var k3=E(()=>{});"
UNUSED = b"var u=W(t=>{t.a=b()});"
HEATMAP = b'var c=W((t,e)=>{e.exports={x:[...h()],moduleType:"trace",name:"heatmap"}});'
ENTRY = b"var $d=W((t,e)=>{e.exports=c()});"
LIST = b"var f=W((t,e)=>{g.register([b(),$d()]);e.exports=g});return f();})();\n/*! a b u */\n"
MADE = HEAD + BAR + ITS_ENTRY + HELPER + NEWER + UNUSED + HEATMAP + ENTRY + LIST


def test_the_pinned_bundle_is_a_quarter_with_heatmaps_alone() -> None:
    whole = vendor_files()["plotly.min.js"].read_bytes()
    ours = with_heatmaps_alone(whole)
    kinds = re.compile(rb"\.register\(\[([^\]]*)\]\)")
    assert len(kinds.findall(whole)[-1].split(b",")) > 40
    assert re.fullmatch(rb"[\w$]+\(\)", kinds.findall(ours)[-1])
    assert len(ours) < len(whole) / 3
    assert ours.startswith(whole[:300]), "whose it is still stands there"
    assert ours.endswith(whole.rpartition(b"})();")[2]), "and whose the parts are"
    assert with_heatmaps_alone(ours) == ours


def test_what_is_named_stays() -> None:
    shorter = LIST.replace(b"[b(),$d()]", b"[$d()]")
    ours = HEAD + HELPER + NEWER + HEATMAP + ENTRY + shorter
    assert with_heatmaps_alone(MADE) == ours


@pytest.mark.parametrize("use", [b"{y:u(),x", b"{...u(),x", b"{y:[u],x"])
def test_so_does_what_is_named_in_that(use: bytes) -> None:
    made = MADE.replace(b"{x", use)
    assert UNUSED in with_heatmaps_alone(made)
    assert ITS_ENTRY in with_heatmaps_alone(made), "which names this"


def test_a_property_is_no_name() -> None:
    assert UNUSED not in with_heatmaps_alone(MADE.replace(b"{x", b"{y:x.u,x"))


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
        MADE.replace(b"{if(r)throw", b"{while(r)throw"),
        MADE.replace(b"{for(var r in t)", b"{t.map("),
        MADE.replace(b"})();", b"})()"),
        MADE.replace(b"var ", b" var "),
    ],
)
def test_a_bundle_that_is_built_otherwise_is_left_as_it_is(built: bytes) -> None:
    assert with_heatmaps_alone(built) == built
