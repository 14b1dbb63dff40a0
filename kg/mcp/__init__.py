"""The graph as tools for language models: a server of the Model Context Protocol, read-only, on standard input and output."""
