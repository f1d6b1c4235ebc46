from __future__ import annotations

import hashlib
import re

import pytest

from heed.app.pages.assets import vendor_files
from heed.app.pages.plotly_bundle import VERSION, heatmaps_only

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


def test_the_heatmaps_are_less_than_a_third_of_the_pinned_bundle() -> None:
    whole = vendor_files()["plotly.min.js"].read_bytes()
    part = heatmaps_only(whole)
    kinds = re.compile(rb"\.register\(\[([^\]]*)\]\)")
    assert len(kinds.findall(whole)[-1].split(b",")) > 40
    assert re.fullmatch(rb"[\w$]+\(\)", kinds.findall(part)[-1])
    assert len(part) < len(whole) / 3
    assert part.startswith(whole[:300]), "the copyright notice stays"
    assert part.endswith(whole.rpartition(b"})();")[2]), "and the licences of its parts"
    assert heatmaps_only(part) == part


def test_a_changed_output_has_another_version() -> None:
    part = heatmaps_only(vendor_files()["plotly.min.js"].read_bytes())
    known = {1: "1cdcfe404eb54691"}
    assert known[VERSION] == hashlib.sha256(part).hexdigest()[:16], "raise VERSION"


def test_a_module_that_is_named_stays() -> None:
    shorter = LIST.replace(b"[b(),$d()]", b"[$d()]")
    part = HEAD + HELPER + NEWER + HEATMAP + ENTRY + shorter
    assert heatmaps_only(MADE) == part


@pytest.mark.parametrize("use", [b"{y:u(),x", b"{...u(),x", b"{y:[u],x"])
def test_a_module_that_is_named_by_one_that_stays_stays(use: bytes) -> None:
    made = MADE.replace(b"{x", use)
    assert UNUSED in heatmaps_only(made)
    assert ITS_ENTRY in heatmaps_only(made), "which names it"


def test_the_name_of_a_property_keeps_no_module() -> None:
    assert UNUSED not in heatmaps_only(MADE.replace(b"{x", b"{y:x.u,x"))


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
def test_a_bundle_of_another_structure_is_left_unchanged(built: bytes) -> None:
    assert heatmaps_only(built) == built
