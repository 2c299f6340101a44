"""The wire contract and nothing else: one module a noun, and one a game."""

from schemas.base import OffSchema, loaded
from schemas.contract import Contract, contract_of
from schemas.faults import Fault, Located, at_most, located, messages

__all__ = [
    "Contract",
    "Fault",
    "Located",
    "OffSchema",
    "at_most",
    "contract_of",
    "loaded",
    "located",
    "messages",
]
