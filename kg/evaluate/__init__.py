"""Scores against gold: `names` for extracted names, `people` for who is who."""
