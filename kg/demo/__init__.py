"""The demo: a small corpus about real ICML 2025 papers, in words of our own, built in seconds."""
