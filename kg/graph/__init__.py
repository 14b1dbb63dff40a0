"""Entities to RDF statements and to networkx."""
