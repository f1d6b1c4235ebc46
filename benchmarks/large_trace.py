"""A trace of 24 layers of 16 heads over 256 tokens, opened in a browser.

An untrained BART is served with `heed serve --model`. Times run from the navigation of a new
window to the painted map of one head, while the answer and its maps are kept by the server; then to
the map of another head, and to all heads. Memory is what the page's scripts hold after a
collection, and what is resident of the process of the tab.
"""

from __future__ import annotations

import json
import statistics
from pathlib import Path
from urllib.parse import urlencode

import torch
from playwright.sync_api import Browser, CDPSession

from benchmarks import served
from benchmarks.case import scratch
from benchmarks.figures import Options, Report, seconds, shown, table
from benchmarks.memory import resident
from benchmarks.page import chromium
from tests.models.recording import small

LAYERS, HEADS, TOKENS, WRITTEN, WIDTH = 24, 16, 256, 128, 128
SHARPER = 6.0
"""Factor of the queries: those of untrained weights attend to all keys alike."""
ROUNDS = 5
WAIT_MS = 60_000
MODEL = "large"


def measure(options: Options) -> Report:
    """Measure sizes, times and memory."""
    words = (" ".join(small.SENTENCES).split() * TOKENS)[: TOKENS - 1]
    body = {"model": MODEL, "text": " ".join(words), "target": " ".join(words[: WRITTEN - 1])}
    with (
        scratch() as folder,
        served.heed(
            hf_models=f"{MODEL}={saved(Path(folder) / MODEL)}",
            preload="none",
            runtime="torch",
            store=folder,
            deadline_seconds=600,
        ) as server,
        chromium() as browser,
    ):
        linked = json.dumps({**body, "maps": "linked"}).encode()
        answer = served.post(f"{server.address}/api/v1/translate", linked)
        address = f"{server.address}/?{urlencode({**body, 'map': 'encoder-self'})}"
        rounds = [opened(browser, address) for _ in range(1 if options.quick else ROUNDS)]
    rows = [("answer without maps, MB", shown(len(answer) / 1e6))]
    rows += [(name, shown(statistics.median(one[name] for one in rounds))) for name in rounds[0]]
    return Report({"large trace": table(["a large trace", "measured"], rows)}, document=None)


def saved(folder: Path) -> Path:
    """Write the model."""
    tokenizer = small.words()
    model = small.bart(
        len(tokenizer),
        d_model=WIDTH,
        encoder_layers=LAYERS,
        decoder_layers=LAYERS,
        encoder_attention_heads=HEADS,
        decoder_attention_heads=HEADS,
        max_position_embeddings=2 * TOKENS,
    )
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            if "q_proj" in name:
                parameter.mul_(SHARPER)
    return small.saved(folder, model, tokenizer)


def opened(browser: Browser, address: str) -> dict[str, float]:
    """Open the page in a new window; return seconds and megabytes."""
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    page = context.new_page()
    page.set_default_timeout(WAIT_MS)
    devtools = context.new_cdp_session(page)

    def first() -> None:
        page.goto(address)
        page.locator("#map[data-painted='1']").wait_for()

    def another() -> None:
        page.locator("#head").select_option(label="5")
        page.locator("#map[data-painted='2']").wait_for()

    def all_heads() -> None:
        page.get_by_role("radio", name="Heads").check(force=True)
        page.locator("#heads canvas").nth(LAYERS * HEADS - 1).wait_for()

    found = {"map, s": seconds(first), **held(browser, devtools, "map")}
    found |= {"another head, s": seconds(another), "all heads, s": seconds(all_heads)}
    found |= held(browser, devtools, "all heads")
    context.close()
    return found


def held(browser: Browser, devtools: CDPSession, when: str) -> dict[str, float]:
    """Return the megabytes of the scripts after a collection, and of the process of the tab."""
    devtools.send("HeapProfiler.collectGarbage")
    heap = devtools.send("Runtime.getHeapUsage")["usedSize"] / 1e6
    processes = browser.new_browser_cdp_session().send("SystemInfo.getProcessInfo")["processInfo"]
    tabs = [resident(each["id"]) for each in processes if each["type"] == "renderer"]
    return {f"{when}: scripts, MB": heap, f"{when}: largest tab, resident MB": max(tabs)}
