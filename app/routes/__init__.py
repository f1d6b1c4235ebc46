"""What can be asked over HTTP. A route parses, calls, and returns; the work is done elsewhere."""
