"""The local explorer: a SPARQL endpoint, an application programming interface, pages of entities."""
