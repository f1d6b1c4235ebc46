"""Audits: what a map of attention is worth on one example, each figure with its baseline."""
