"""The page about Simurgh says what is so."""

import re
from collections import Counter

from service.games.simurgh.v1.figures import LENGTHS, PRINTED, VARIANTS
from tests.games.simurgh.table import RULES
from tests.pages import page, says_what_it_says

PAGE = page("simurgh.md")


def test_the_game_goes_as_the_page_says(tmp_path):
    says_what_it_says(PAGE, tmp_path)


def test_every_kind_and_value_that_it_names_is_there():
    told = set(re.findall(r"`([a-z]+-[a-z-]+)`", PAGE))
    assert told <= set(RULES.kinds), told - set(RULES.kinds)
    assert len(told) > 15
    for value in (*VARIANTS, *LENGTHS):
        assert f"`{value}`" in PAGE


def test_its_numbers_are_those_of_the_game():
    away = Counter(PRINTED.table["set-aside"])
    assert away.total() == 14
    assert "Fourteen tiles were put aside" in PAGE
    assert (RULES.least_seats, RULES.most_seats) == (2, 5)
    assert "Two to five seats" in PAGE
