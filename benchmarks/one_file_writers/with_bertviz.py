"""bertviz: the view of all heads of all layers, which loads three libraries from a CDN."""

import json
import sys
import time
from pathlib import Path

import torch
from bertviz import model_view
from transformers import AutoModelForSeq2SeqLM, AutoTokenizer

folder, text, path = sys.argv[1:]
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
    Path(path).write_text(page.data, "utf-8")


write()
written = time.time()
for _ in range(2):
    began = time.perf_counter()
    write()
    again = time.perf_counter() - began
print(json.dumps({"written": written, "again": again}))
