"""Domains: what a parameter may be on this table, never what is allowed.

A closed domain (`Pick`) is a finite list. An open one follows one protocol: `describe`, `check`, `example`, `sample`
and `every` (on small cases). What narrows an open parameter is data: a limit function returns statements, and
`describe`, `check` and `example` all read the same ones.
"""

from service.engine.domain.amount import Amount
from service.engine.domain.base import (
    MANY,
    MOST,
    AtLeast,
    AtMost,
    Domain,
    Items,
    Limits,
    Open,
    Pick,
    Statement,
    is_int,
    limit_shown,
    no_limits,
)
from service.engine.domain.sequence import Sequence
from service.engine.domain.split import Split
from service.engine.domain.subset import Subset, small_choices

Sequence_ = Sequence  # for modules that also use the abstract one of collections

__all__ = [
    "MANY",
    "MOST",
    "Amount",
    "AtLeast",
    "AtMost",
    "Domain",
    "Items",
    "Limits",
    "Open",
    "Pick",
    "Sequence",
    "Sequence_",
    "Split",
    "Statement",
    "Subset",
    "is_int",
    "limit_shown",
    "no_limits",
    "small_choices",
]
