"""The games that Arbitr knows, a folder each, and a line each here."""

from service.engine.registry import Registry
from service.games.root.v1 import RULES as ROOT
from service.games.simurgh.v1 import RULES as SIMURGH
from service.games.zavandor.v1 import RULES as ZAVANDOR

REGISTRY = Registry()
REGISTRY.add(ZAVANDOR)
REGISTRY.add(SIMURGH)
REGISTRY.add(ROOT)
