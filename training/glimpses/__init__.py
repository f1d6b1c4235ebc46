"""Glimpses at drawn digits: pictures, training and evaluation."""
