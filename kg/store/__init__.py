"""Where statements live and are asked: Oxigraph on disk. Nothing here knows the domain."""
