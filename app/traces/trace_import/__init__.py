"""Attention from outside as traces: a trace of Heed, or plain matrices of any other model.

The server accepts what the page accepts, and refuses what the page refuses.
"""

from heed.app.traces.trace_import.imported import check_saved, import_json, import_npz, load_saved

__all__ = ["check_saved", "import_json", "import_npz", "load_saved"]
