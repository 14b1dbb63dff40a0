"""Questions: the catalogue, names to entities, parameters bound as terms."""
