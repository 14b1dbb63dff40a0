"""Who and what is linked, through which papers: co-authors, shared data sets, methods and code."""
