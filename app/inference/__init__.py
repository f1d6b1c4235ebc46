"""From a request to a trace: checks, jobs, the engine and its threads, the response cache."""
