"""Simurgh, a folder a version."""
