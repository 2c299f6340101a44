"""How often something can be done in a second of one core, told as one line of JSON.

Stands alone: the peers have a Python of their own.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from itertools import cycle
from typing import Any


def rate(call: Callable[[Any], Any], given: Sequence[Any], seconds: float) -> float:
    """Calls a second of this process's CPU time, which others on the machine leave alone, over these values in turn;
    after a tenth of that time that does not count."""
    turn = cycle(given)
    for length in (seconds / 10, seconds):
        count, begin = 0, time.process_time()
        while (spent := time.process_time() - begin) < length:
            call(next(turn))
            count += 1
    return count / spent


def tell(found: Mapping[str, Mapping[str, float]]) -> None:
    """For whoever started this: by name, `rate` a second and `bytes` of a state."""
    print(json.dumps(found))


def seconds() -> float:
    """How long to measure each, as the command line says."""
    return float(sys.argv[1])
