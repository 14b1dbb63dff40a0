"""The whole flow on one graph folder: read, link, extract, resolve, write, load, switch."""
