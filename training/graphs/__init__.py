"""Graphs with classes, drawn at random: training data and evaluation."""
