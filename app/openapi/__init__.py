"""Additions to the OpenAPI document: examples, error responses, raw bodies."""
