"""Heed: all views of all heads, as `heed.trace` saves them."""

import json
import sys
import time

import heed

folder, text, path = sys.argv[1:]
heed.trace(folder, text).save(path)
written = time.time()

from transformers import AutoModelForSeq2SeqLM, AutoTokenizer  # noqa: E402 (not part of the above)

model = AutoModelForSeq2SeqLM.from_pretrained(folder)
tokenizer = AutoTokenizer.from_pretrained(folder)
for _ in range(2):
    began = time.perf_counter()
    heed.trace(model, tokenizer, text).save(path)
    again = time.perf_counter() - began
print(json.dumps({"written": written, "again": again}))
