"""What has been entered on a referee page; see `companion.engine.state`."""

from companion.engine.state import LONGEST_VALUE as LONGEST
from companion.engine.state import State, read_cards
from companion.engine.state import join_cards as joined

__all__ = ["LONGEST", "State", "joined", "read_cards"]
