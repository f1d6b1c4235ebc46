"""The routes, one file for each resource. A route parses, calls a service, and returns."""
