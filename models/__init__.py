"""The networks and everything they need to produce a trace. Never imports `app`."""
