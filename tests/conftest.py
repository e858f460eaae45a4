"""Every run tries the same examples: a test that fails, fails for everybody and every time."""

from hypothesis import settings

settings.register_profile("repeatable", derandomize=True, deadline=None)
settings.load_profile("repeatable")
