"""The page of figures to check is what the components say."""

from service.games.simurgh.v1.figures import COMPONENTS
from tests.games.simurgh.data_page import DOUBTS, PAGE, page, told

SURE = {"rulebook", "cross-checked", "single-source"}


def test_the_page_is_not_behind_the_components():
    assert PAGE.read_text(encoding="utf-8") == page()


def test_every_figure_says_how_sure_it_is():
    for items in COMPONENTS.values():
        for item in items:
            marks = item["certainty"]
            every = {marks} if isinstance(marks, str) else set(marks.values())
            assert every <= SURE | set(DOUBTS), item["id"]


def test_the_page_lists_what_is_assumed():
    text = page()
    for what in (
        "`display-1`",
        "`wilds-4`",
        "`statue-1`",
        "`power-35-4`",
        "`dragon-49`",
        "`objective-73`",
        "`exploration-capacity`",
    ):
        assert what in text
    assert "`armory`" not in text


def test_what_is_counted_stands_in_the_form_of_its_number():
    assert told({"take": {"vegetable": 2, "weapon": 1, "wood": 3}}) == "2 vegetables + 1 weapon + 3 wood"
    assert told({"fixed": {"spearman": 1, "marker": 2}}) == "1 Spearman + 2 Ability markers"
    kinds = ["vegetable", "meat"]
    assert told({"choose_total": 2, "of": kinds}) == "total of 2 vegetables/meat"
    assert told({"choose_total": 1, "of": kinds}) == "total of 1 vegetable/meat"
    drawn = {"draw_dragons": 3, "keep": 1}
    assert told({**drawn, "markers": 1}) == "look at 3 dragons, keep 1 with 1 marker"
    assert told({**drawn, "markers": 3}) == "look at 3 dragons, keep 1 with 3 markers"
