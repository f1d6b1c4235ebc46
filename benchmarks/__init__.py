"""Speed and memory; never part of the gate."""
