"""`python -P file_writers.py PROGRAM MODEL TEXT FILE`: write a page in one file, three times.

The first one counts from the start of this process, the last one with a loaded model. It runs in an
environment that has the program, and for bertviz and inseq nothing of Heed.
"""

import json
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

Write = Callable[[], object]


def bertviz(folder: str, text: str, path: Path) -> Iterator[Write]:
    """The view of all heads of all layers, which loads three libraries from a CDN."""
    import torch
    from bertviz import model_view
    from transformers import AutoModelForSeq2SeqLM, AutoTokenizer

    model = AutoModelForSeq2SeqLM.from_pretrained(folder, attn_implementation="eager").eval()
    tokenizer = AutoTokenizer.from_pretrained(folder)

    def write() -> None:
        """Translate, read the attention in one pass, and write the page."""
        inputs = tokenizer(text, return_tensors="pt")
        with torch.no_grad():
            written = model.generate(**inputs, max_new_tokens=128)[:, :-1]
            found = model(**inputs, decoder_input_ids=written, output_attentions=True)
        page = model_view(
            encoder_attention=found.encoder_attentions,
            decoder_attention=found.decoder_attentions,
            cross_attention=found.cross_attentions,
            encoder_tokens=tokenizer.convert_ids_to_tokens(inputs["input_ids"][0]),
            decoder_tokens=tokenizer.convert_ids_to_tokens(written[0]),
            html_action="return",
        )
        path.write_text(page.data, "utf-8")

    yield from (write, write)


def inseq(folder: str, text: str, path: Path) -> Iterator[Write]:
    """One matrix, the mean of all heads of cross-attention, without interaction."""
    import inseq

    model = inseq.load_model(folder, "attention")

    def write() -> None:
        """Translate, attribute, and write the table."""
        found = model.attribute(text, generation_args={"max_new_tokens": 128}, show_progress=False)
        path.write_text(found.show(display=False, return_html=True), "utf-8")

    yield from (write, write)


def heed(folder: str, text: str, path: Path) -> Iterator[Write]:
    """All views of all heads, as `heed.trace` saves them."""
    import heed

    yield lambda: heed.trace(folder, text).save(path)

    from transformers import AutoModelForSeq2SeqLM, AutoTokenizer

    model = AutoModelForSeq2SeqLM.from_pretrained(folder)
    tokenizer = AutoTokenizer.from_pretrained(folder)
    yield lambda: heed.trace(model, tokenizer, text).save(path)


def main() -> None:
    """Print when the first file was written, and the seconds of the last."""
    program, folder, text, path = sys.argv[1:]
    ways = {"bertviz": bertviz, "inseq": inseq, "heed": heed}[program](folder, text, Path(path))
    next(ways)()
    written = time.time()
    write, again = next(ways), 0.0
    for _ in range(2):
        began = time.perf_counter()
        write()
        again = time.perf_counter() - began
    print(json.dumps({"written": written, "again": again}))


if __name__ == "__main__":
    main()
