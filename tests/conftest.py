"""What all tests share: a cache that knows the sources, and the profile of Hypothesis."""

from hypothesis import settings

from sim.engines.cache import use_cache_folder

use_cache_folder()

# A first compile takes seconds, so no deadline; and the same examples in every run.
settings.register_profile("sim", deadline=None, derandomize=True)
settings.load_profile("sim")
