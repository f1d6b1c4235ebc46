"""A trace of 24 layers of 16 heads over 256 tokens, opened in a browser.

Run as `python -m benchmarks.large_trace`; needs the groups `benchmark` and `test`. An untrained
BART is served with `heed serve --model`. Times run from the navigation of a new window to the
painted map of one head, while the answer and its maps are kept by the server; then to the map of
another head, and to all heads. Memory is what the page's scripts hold after a collection, and what
is resident of the process of the tab.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import urlencode

import httpx
import torch
from playwright.sync_api import Browser, CDPSession, Page, sync_playwright

from benchmarks.served import heed, resident
from tests.browser.chromium import ADVICE, FLAGS, find
from tests.models.recording import small

LAYERS, HEADS, TOKENS, WRITTEN, WIDTH = 24, 16, 256, 128, 128
SHARPER = 6.0
"""Factor of the queries: those of untrained weights attend to all keys alike."""
ROUNDS = 5
WAIT_MS = 60_000
MODEL = "large"


def main() -> None:
    """Print sizes, times and memory."""
    path = find()
    if path is None:
        raise SystemExit(ADVICE)
    words = (" ".join(small.SENTENCES).split() * TOKENS)[: TOKENS - 1]
    body = {"model": MODEL, "text": " ".join(words), "target": " ".join(words[: WRITTEN - 1])}
    with (
        TemporaryDirectory() as folder,
        heed(
            hf_models=f"{MODEL}={saved(Path(folder) / MODEL)}",
            preload="none",
            runtime="torch",
            store=folder,
            deadline_seconds=600,
        ) as server,
        sync_playwright() as playwright,
    ):
        print(f"answer without maps: {size(server.address, {**body, 'maps': 'linked'}):.2f} MB")
        browser = playwright.chromium.launch(executable_path=path, args=list(FLAGS))
        address = f"{server.address}/?{urlencode({**body, 'map': 'encoder-self'})}"
        rounds = [opened(browser, address) for _ in range(ROUNDS)]
        for name in rounds[0]:
            print(f"{name}: {statistics.median(one[name] for one in rounds):.2f}")
        browser.close()


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


def size(address: str, body: dict[str, str]) -> float:
    """Run the model; return the megabytes of its answer."""
    reply = httpx.post(f"{address}/api/v1/translate", json=body, timeout=WAIT_MS)
    return len(reply.raise_for_status().content) / 1e6


def opened(browser: Browser, address: str) -> dict[str, float]:
    """Open the page in a new window; return seconds and megabytes."""
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    page = context.new_page()
    page.set_default_timeout(WAIT_MS)
    devtools = context.new_cdp_session(page)
    found = {"map, s": seconds(lambda: painted(page, lambda: page.goto(address), 1))}
    found |= held(browser, devtools, "map")
    head = page.locator("#head")
    found["another head, s"] = seconds(
        lambda: painted(page, lambda: head.select_option(label="5"), 2)
    )
    found["all heads, s"] = seconds(lambda: all_heads(page))
    found |= held(browser, devtools, "all heads")
    context.close()
    return found


def seconds(act: Callable[[], object]) -> float:
    """Measure one action."""
    began = time.perf_counter()
    act()
    return time.perf_counter() - began


def painted(page: Page, act: Callable[[], object], times: int) -> None:
    """Wait until the map is painted after an action."""
    act()
    page.locator(f"#map[data-painted='{times}']").wait_for()


def all_heads(page: Page) -> None:
    """Wait until every head is drawn."""
    page.get_by_role("radio", name="Heads").check(force=True)
    page.locator("#heads canvas").nth(LAYERS * HEADS - 1).wait_for()


def held(browser: Browser, devtools: CDPSession, when: str) -> dict[str, float]:
    """Return the megabytes of the scripts after a collection, and of the process of the tab."""
    devtools.send("HeapProfiler.collectGarbage")
    heap = devtools.send("Runtime.getHeapUsage")["usedSize"] / 1e6
    processes = browser.new_browser_cdp_session().send("SystemInfo.getProcessInfo")["processInfo"]
    tabs = [resident(each["id"]) for each in processes if each["type"] == "renderer"]
    return {f"{when}: scripts, MB": heap, f"{when}: largest tab, resident MB": max(tabs)}


if __name__ == "__main__":
    main()
