import gc
import os

from hypothesis import settings

settings.register_profile("default", deadline=None, derandomize=True)
settings.register_profile("long", deadline=None, max_examples=5_000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))


def pytest_collection_finish() -> None:
    """What has been imported stays: the garbage collector need not look through it while tests run."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000)
