"""Mentions to entities: people, methods, data sets, repositories."""
