"""The data of The Scepter of Zavandor: clauses, figures and words, against figures stated here again."""

import json
import re
import tomllib
from collections import Counter
from pathlib import Path

import pytest

from service.engine.words import fields, variants

DATA = Path(__file__).parents[3] / "service" / "games" / "zavandor" / "v1"
BOOK = tomllib.loads((DATA / "rulebook.toml").read_text(encoding="utf-8"))
COMPONENTS = json.loads((DATA / "components.json").read_text(encoding="utf-8"))

RULES = BOOK["rule"]
LANGUAGES = ("en", "cs")
NATURES = {"limit", "procedure", "component", "ruling"}
LEVELS = {"rulebook", "cross-checked", "inferred", "assumed"}
ITEMS = [item for items in COMPONENTS.values() for item in items]
GEMS = ("opal", "sapphire", "emerald", "diamond", "ruby")
COLOURS = ("blue", "green", "white", "red")


def of(kind):
    return {item["id"]: item for item in COMPONENTS[kind]}


def table(name):
    return of("table")[name]["value"]


def in_both(entry):
    return all(isinstance(entry.get(language), str) and entry[language].strip() for language in LANGUAGES)


# -- clauses -------------------------------------------------------------------------

SERIES = [  # (chapter, what follows ZAV-, how many), in the order of the book
    ("components", "COMP", 10),
    ("setup", "SETUP", 9),
    ("rounds", "ROUND", 2),
    ("rounds", "ORDER", 5),
    ("rounds", "REFILL", 1),
    ("rounds", "INCOME", 10),
    ("energy", "PAY", 10),
    ("actions", "ACT", 4),
    ("gems", "GEM", 9),
    ("knowledge", "KNOW", 11),
    ("knowledge", "KNOW-GEMS", 1),
    ("knowledge", "KNOW-FLOW", 1),
    ("knowledge", "KNOW-FIRE", 3),
    ("knowledge", "KNOW-SAGES", 5),
    ("knowledge", "KNOW-ART", 1),
    ("knowledge", "KNOW-ACC", 1),
    ("auctions", "AUC", 17),
    ("curse", "CURSE", 7),
    ("artifacts", "ART-SPELLBOOK", 2),
    ("artifacts", "ART-RUNESTONE", 2),
    ("artifacts", "ART-BALL", 2),
    ("artifacts", "ART-BELT", 2),
    ("artifacts", "ART-MIRROR", 4),
    ("artifacts", "ART-CRYSTAL", 2),
    ("artifacts", "ART-ELIXIR", 2),
    ("artifacts", "ART-MASK", 2),
    ("artifacts", "ART-WAND", 2),
    ("artifacts", "ART-CHALICE", 2),
    ("artifacts", "ART-CLOAK", 1),
    ("artifacts", "ART-TALISMAN", 1),
    ("sentinels", "SENT", 2),
    ("sentinels", "SENT-PHOENIX", 1),
    ("sentinels", "SENT-OWL", 1),
    ("sentinels", "SENT-FOX", 1),
    ("sentinels", "SENT-TOAD", 1),
    ("sentinels", "SENT-UNICORN", 1),
    ("sentinels", "SENT-TOMCAT", 1),
    ("sentinels", "SENT-SCARAB", 1),
    ("sentinels", "SENT-RAVEN", 1),
    ("sentinels", "SENT-SALAMANDER", 1),
    ("scoring", "LIMIT", 5),
    ("scoring", "SCORE", 3),
    ("scoring", "END", 3),
    ("decisions", "DEC", 9),
    ("information", "INFO", 4),
    ("rulings", "R", 26),
]

FACTS = {
    "ZAV-COMP-3": {"gem", "supply"},
    "ZAV-PAY-2": {"dust"},
    "ZAV-PAY-3": {"price", "offered", "dust"},
    "ZAV-PAY-4": {"price", "value", "superfluous"},
    "ZAV-ACT-1": {"asked"},
    "ZAV-ACT-3": set(),
    "ZAV-GEM-1": {"gem", "needs"},
    "ZAV-GEM-3": {"capacity", "active"},
    "ZAV-GEM-4": ({"gem"}, {"gem"}, {"active"}),
    "ZAV-GEM-5": {"gem", "place", "owned"},
    "ZAV-GEM-6": {"active"},
    "ZAV-GEM-7": {"rubies"},
    "ZAV-KNOW-2": set(),
    "ZAV-KNOW-3": {"token"},
    "ZAV-KNOW-4": {"track"},
    "ZAV-KNOW-6": {"track", "stage"},
    "ZAV-KNOW-FIRE-1": {"stage"},
    "ZAV-KNOW-FIRE-3": set(),
    "ZAV-KNOW-SAGES-4": {"card"},
    "ZAV-AUC-1": {"card"},
    "ZAV-AUC-2": {"least", "bid"},
    "ZAV-AUC-3": {"highest", "amount"},
    "ZAV-AUC-4": {"asked"},
    "ZAV-AUC-5": {"actor"},
    "ZAV-AUC-7": ({"card"}, {"actor"}),
    "ZAV-AUC-8": {"card"},
    "ZAV-AUC-13": {"asked"},
    "ZAV-AUC-14": set(),
    "ZAV-CURSE-4": ({"winners"}, {"actor"}),
    "ZAV-CURSE-5": set(),
    "ZAV-ART-MIRROR-1": {"token"},
    "ZAV-ART-MIRROR-2": {"gem"},
    "ZAV-ART-CRYSTAL-2": set(),
    "ZAV-ART-ELIXIR-2": {"capacity", "active"},
    "ZAV-ART-CHALICE-2": set(),
    "ZAV-ART-TALISMAN-1": {"steps"},
    "ZAV-LIMIT-3": {"limit", "weight"},
    "ZAV-LIMIT-4": ({"limit", "weight", "fits"}, {"limit", "weight", "fits"}),
}

LIMITS_WITHOUT_MESSAGE = {"ZAV-PAY-6", "ZAV-PAY-7", "ZAV-KNOW-10", "ZAV-ART-MIRROR-4"}
REFUSE_OTHERS = {"ZAV-AUC-13", "ZAV-CURSE-4"}  # procedures that somebody else's action breaks


def test_every_clause_is_in_the_book_in_its_chapter_and_order():
    expected = [(f"ZAV-{stem}-{n}", ch) for ch, stem, count in SERIES for n in range(1, count + 1)]
    assert [(rule["id"], rule["chapter"]) for rule in RULES] == expected
    assert len(expected) == 192


def test_the_book_names_its_ruleset_chapters_and_documents():
    assert BOOK["ruleset"] == {"game": "zavandor", "version": "1.0"}
    assert list(BOOK["chapters"]) == list(dict.fromkeys(chapter for chapter, _, _ in SERIES))
    assert set(BOOK["documents"]) == {"zavandor-rules-cs", "zavandor-clarifications", "arbitr-rulings"}
    assert all(in_both(entry) for entry in [*BOOK["chapters"].values(), *BOOK["documents"].values()])


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule["id"])
def test_a_clause_is_complete(rule):
    assert in_both(rule)
    assert rule["en"] != rule["cs"]
    assert rule["nature"] in NATURES
    assert (rule["nature"] == "ruling") == rule["id"].startswith("ZAV-R-")
    assert ("page" in rule) == (rule["document"] == "zavandor-rules-cs")
    assert 1 <= rule.get("page", 1) <= 9
    assert rule["document"] in BOOK["documents"]
    assert set(rule.get("rulings", ())) <= {f"ZAV-R-{n}" for n in range(1, 27)}
    assert set(rule) <= {"id", "chapter", "nature", "document", "page", "rulings", "en", "cs", "message"}


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule["id"])
def test_a_clause_reads_without_ids_and_source_marks(rule):
    text = f"{rule['en']} {rule['cs']}"
    capitals = set(re.findall(r"\b[A-Z]{2,}\w*", text))
    assert capitals <= {"II", "III", "IV", "VI"}
    assert not re.search(r"[\[\]{}<>|*]|\b[RS]\d|http", text)
    assert not re.search(r"  |\.\.| [,.;:]", text)
    assert all(rule[language].endswith((".", ")")) for language in LANGUAGES)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule["id"])
def test_both_languages_of_a_clause_state_the_same_numbers(rule):
    digits = {language: set(re.findall(r"\d+", rule[language])) for language in LANGUAGES}
    assert digits["en"] ^ digits["cs"] <= {"1", "2"}  # one language may say "one" where the other says 1


def test_messages_use_the_facts_of_their_clause():
    for rule in RULES:
        facts = FACTS.get(rule["id"], ())
        wanted = list(facts) if isinstance(facts, tuple) else [facts]
        texts = list(variants(rule.get("message", ())))
        for language in LANGUAGES:
            assert [fields(text[language]) for text in texts] == wanted, rule["id"]


def test_the_clauses_that_an_action_can_break():
    limits = {rule["id"] for rule in RULES if rule["nature"] == "limit"}
    assert limits == (set(FACTS) | LIMITS_WITHOUT_MESSAGE) - REFUSE_OTHERS
    assert Counter(rule["nature"] for rule in RULES) == {
        "limit": 40,
        "procedure": 112,
        "component": 14,
        "ruling": 26,
    }


def test_every_ruling_is_cited_by_a_clause():
    named = {ruling for rule in RULES for ruling in rule.get("rulings", ())}
    assert named == {f"ZAV-R-{n}" for n in range(1, 27)}


def test_the_clause_on_gem_prices_states_the_prices():
    clause = next(rule for rule in RULES if rule["id"] == "ZAV-GEM-1")
    percents = [100, *of("tracks")["gems"]["percent"]]
    for gem in of("gems").values():
        prices = [gem["price"] * percent // 100 for percent in percents]
        assert all(", ".join(map(str, prices)) in clause[language] for language in LANGUAGES)


def test_artifact_clauses_state_letter_bid_and_points():
    text = {language: " ".join(rule[language] for rule in RULES) for language in LANGUAGES}
    for card in COMPONENTS["artifacts"]:
        points = f"{card['letter']}, minimum bid {card['least_bid']}, {card['vp']} victory point"
        assert f"{card['name']['en']} ({points}" in text["en"]
        points = f"{card['letter']}, minimální příhoz {card['least_bid']}, {card['vp']} vítězn"
        assert f"{card['name']['cs']} ({points}" in text["cs"]


# -- components ----------------------------------------------------------------------


def test_kinds_of_component_and_how_many_of_each():
    assert {kind: len(items) for kind, items in COMPONENTS.items()} == {
        "characters": 6,
        "gems": 5,
        "energy-cards": 21,
        "concentrated": 4,
        "tracks": 6,
        "tokens": 5,
        "artifacts": 12,
        "sentinels": 9,
        "positions": 6,
        "dust": 1,
        "table": 14,
    }


@pytest.mark.parametrize("item", ITEMS, ids=lambda item: item["id"])
def test_a_component_has_an_id_names_and_a_certainty_for_every_figure(item):
    assert re.fullmatch(r"[a-z][a-z0-9]*(-[a-z0-9]+)*", item["id"])
    assert set(item["name"]) == set(LANGUAGES)
    assert in_both(item["name"])
    certainty = item["certainty"]
    levels = certainty if isinstance(certainty, dict) else {"*": certainty}
    figures = set(item) - {"id", "name", "certainty"}
    assert set(levels.values()) <= LEVELS
    assert set(levels) - {"*"} <= figures
    assert "*" in levels or figures <= set(levels)


def test_no_two_components_share_an_id():
    assert [i for i, n in Counter(item["id"] for item in ITEMS).items() if n > 1] == []


def test_characters_zav_setup_3():
    found = {
        c["id"]: (c["track"], c["stage"], c["hand_limit"], c["dust"], c["cards"])
        for c in COMPONENTS["characters"]
    }
    assert found == {
        "witch": ("gems", 1, 4, 10, {}),
        "elf": ("flow", 1, 4, 10, {}),
        "druid": ("fire", 1, 5, 20, {}),
        "fairy": ("sages", 1, 5, 10, {"blue": 2}),
        "mage": ("artifacts", 1, 6, 15, {}),
        "kobold": ("accumulation", 1, 6, 20, {}),
    }
    early = {c["id"]: (c["early_ruby_stage"], c["early_rubies"]) for c in COMPONENTS["characters"]}
    assert early.pop("druid") == (3, 1)
    assert set(early.values()) == {(None, 0)}


def test_a_start_hand_limit_includes_the_start_track_zav_know_8():
    tracks = of("tracks")
    assert all(c["hand_limit"] == 5 + tracks[c["track"]]["hand_limit"] for c in COMPONENTS["characters"])


def test_gems_zav_comp_2_and_zav_gem_1():
    found = [
        (g["id"], g["price"], g["vp"], g["supply"], g["colour"], g["needs"], g["most_owned"])
        for g in COMPONENTS["gems"]
    ]
    assert found == [
        ("opal", 10, 1, 28, None, None, None),
        ("sapphire", 20, 1, 28, "blue", None, None),
        ("emerald", 30, 2, 24, "green", "spellbook", None),
        ("diamond", 40, 2, 24, "white", "elixir", None),
        ("ruby", 60, 3, 20, "red", "fire", 5),
    ]
    assert sum(g["supply"] for g in COMPONENTS["gems"]) == 124


@pytest.mark.parametrize(
    ("colour", "counts", "total", "mean"),
    [
        ("blue", {3: 3, 4: 6, 5: 12, 6: 6, 7: 3}, 30, 5),
        ("green", {5: 3, 6: 6, 7: 9, 8: 9, 9: 6, 10: 3}, 36, 7.5),
        ("white", {8: 3, 9: 6, 10: 12, 11: 6, 12: 3}, 30, 10),
        ("red", {13: 3, 14: 6, 15: 12, 16: 6, 17: 3}, 30, 15),
    ],
)
def test_energy_cards_zav_comp_4(colour, counts, total, mean):
    cards = [c for c in COMPONENTS["energy-cards"] if c["colour"] == colour]
    assert {c["value"]: c["count"] for c in cards} == counts
    assert sum(counts.values()) == total
    assert sum(value * n for value, n in counts.items()) == total * mean
    assert [c["id"] for c in cards] == [f"{colour}-{value}" for value in counts]


def test_there_are_126_energy_cards_and_gems_match_their_colours():
    assert sum(c["count"] for c in COMPONENTS["energy-cards"]) == 126
    colours = {g["id"]: g["colour"] for g in COMPONENTS["gems"]}
    assert all(
        colours[c["gem"]] == c["colour"] for c in COMPONENTS["energy-cards"] + COMPONENTS["concentrated"]
    )


def test_concentrated_energy_zav_comp_5_and_missing_cards_zav_comp_10():
    values = {c["colour"]: c["value"] for c in COMPONENTS["concentrated"]}
    assert values == {"blue": 20, "green": 30, "white": 40, "red": 60}
    assert table("dust-per-missing-card") == {"blue": 5, "green": 7, "white": 10, "red": 15}
    assert (table("cards-per-concentrated"), table("dust-per-concentrated")) == (4, 2)


def test_tracks_zav_know_1_and_zav_know_8():
    found = {t["id"]: (t["costs"], t["hand_limit"]) for t in COMPONENTS["tracks"]}
    assert found == {
        "gems": ([2, 4, 8, 16], -1),
        "flow": ([3, 6, 12, 24], -1),
        "fire": ([5, 10, 15, 20], 0),
        "sages": ([3, 6, 12, 24], 0),
        "artifacts": ([2, 4, 8, 16], 1),
        "accumulation": ([2, 4, 8, 16], 1),
    }


def test_what_the_stages_give():
    tracks = of("tracks")
    assert tracks["gems"]["percent"] == [90, 80, 70, 60]
    assert tracks["flow"]["dust"] == [0, 2, 5, 10]
    assert tracks["fire"]["rubies"] == [False, False, False, True]
    assert tracks["sages"]["reward"] == [{"colour": colour, "cards": 2} for colour in COLOURS]
    assert tracks["artifacts"]["artifact_discount"] == [0, 5, 5, 10]
    assert tracks["artifacts"]["sentinel_discount"] == [0, 10, 10, 20]
    assert tracks["accumulation"]["places"] == [0, 1, 1, 2]


def test_tokens_zav_setup_5():
    assert {t["id"]: t["price"] for t in COMPONENTS["tokens"]} == {
        f"token-{p}": p for p in (20, 25, 30, 35, 40)
    }


PLAIN = {
    "most_owned": None,
    "discounts": {},
    "sentinel_discount": 0,
    "hand_limit": 0,
    "places": 0,
    "free_advances": 0,
    "free_token": False,
    "free_gem": None,
    "produces": None,
    "others_lose_gem": False,
    "unlocks": None,
    "needs_active_gem": False,
}
MIRROR = {"free_token": True, "others_lose_gem": True, "needs_active_gem": True}
ARTIFACTS = {  # letter, least bid, victory points, and what is not plain
    "spellbook": ("A", 20, 1, {"unlocks": "emerald", "discounts": {"shadow-cloak": 15}}),
    "runestone": ("A", 20, 1, {"free_advances": 1, "discounts": {"chalice-of-fire": 10}}),
    "crystal-ball": ("A", 20, 1, {"hand_limit": 3, "discounts": {"elixir": 5}}),
    "magic-belt": ("B", 30, 2, {"places": 2, "most_owned": 1}),
    "magic-mirror": ("B", 40, 2, MIRROR),
    "crystal-of-protection": ("B", 40, 2, {"produces": "green"}),
    "elixir": ("B", 60, 2, {"unlocks": "diamond", "free_gem": "diamond"}),
    "mask-of-charisma": ("C", 50, 3, {"free_advances": 1, "sentinel_discount": 20}),
    "magic-wand": ("C", 60, 3, {"places": 2, "hand_limit": 3, "most_owned": 1}),
    "chalice-of-fire": ("C", 80, 4, {"produces": "red"}),
    "shadow-cloak": ("D", 80, 5, MIRROR),
    "talisman": ("D", 100, 8, {"free_advances": 2}),
}


@pytest.mark.parametrize("card", ARTIFACTS)
def test_artifact(card):
    letter, least_bid, vp, special = ARTIFACTS[card]
    found = {k: v for k, v in of("artifacts")[card].items() if k not in {"id", "name", "certainty"}}
    assert found == {"letter": letter, "least_bid": least_bid, "vp": vp, "copies": 3, **PLAIN, **special}


def test_artifact_deck_zav_comp_7_and_zav_setup_7():
    assert list(of("artifacts")) == list(ARTIFACTS)
    assert sum(a["copies"] for a in COMPONENTS["artifacts"]) == 36
    assert Counter(a["letter"] for a in COMPONENTS["artifacts"]) == {"A": 3, "B": 4, "C": 3, "D": 2}
    assert table("copies-by-seats") == {"2": 1, "3": 2, "4": 2, "5": 3, "6": 3}
    assert table("deck-order") == ["A", "B", "C", "D"]


def test_active_places_never_exceed_11_zav_gem_3():
    extra = sum(a["places"] for a in COMPONENTS["artifacts"] if a["most_owned"] == 1)
    assert table("active-places") + extra + max(of("tracks")["accumulation"]["places"]) == 11


SENTINELS = {  # bonus for each, cap, what counts, of which
    "phoenix": (2, 10, "active-gem-kinds", set(GEMS)),
    "owl": (2, 12, "tracks-at-top", {"gems", "flow", "fire", "sages", "artifacts", "accumulation"}),
    "fox": (2, 12, "active-gems", {"sapphire"}),
    "toad": (2, None, "artifacts", {"runestone", "crystal-of-protection", "spellbook", "elixir"}),
    "unicorn": (1, 11, "active-gems", {"diamond"}),
    "tomcat": (2, 12, "active-gems", {"opal"}),
    "scarab": (1, 11, "active-gems", {"emerald"}),
    "raven": (2, None, "artifacts", {"crystal-ball", "mask-of-charisma", "magic-belt", "magic-wand"}),
    "salamander": (2, 10, "active-gems", {"ruby"}),
}


@pytest.mark.parametrize("card", SENTINELS)
def test_sentinel(card):
    found = of("sentinels")[card]
    counts = found["counts"]
    assert (found["least_bid"], found["vp"]) == (120, 5)
    assert (found["bonus_each"], found["bonus_cap"], counts["what"], set(counts["of"])) == SENTINELS[card]


def test_positions_zav_auc_11():
    found = [(p["position"], p["condition"], p["artifact"], p["sentinel"]) for p in COMPONENTS["positions"]]
    assert found == [
        (1, "highest-vp", 10, 20),
        (2, "own-vp", 5, 10),
        (3, None, 0, 0),
        (4, None, 0, 0),
        (5, "highest-vp", -5, -10),
        (6, "highest-vp", -10, -20),
    ]
    assert [p["id"] for p in COMPONENTS["positions"]] == [f"position-{n}" for n in range(1, 7)]


def test_dust_and_opals_zav_income_2():
    dust = of("dust")["dust"]
    assert dust["tokens"] == [2, 5, 10]
    assert dust["weights"] == {"2": 1, "5": 2, "10": 3}
    income = [dust["three_opals"] * (n // 3) + dust["opals"][n % 3] for n in range(1, 12)]
    assert income == [2, 5, 10, 12, 15, 20, 22, 25, 30, 32, 35]


def test_figures_of_the_table():
    assert table("start-gems") == {"opal": 2, "sapphire": 1}
    gems = of("gems")
    assert table("start-vp") == sum(gems[g]["vp"] * n for g, n in table("start-gems").items()) == 3
    assert table("hand-limit-weights") == {"card": 1, "concentrated": 3}
    singles = ("paid-advances", "top-stage-vp", "bid-step", "surcharge-vp", "sentinels-to-end")
    assert [table(name) for name in singles] == [1, 2, 1, 10, 5]


def test_how_sure_the_figures_are_that_the_rulebook_does_not_print():
    gems, characters = of("gems"), of("characters")
    assert {g: gems[g]["certainty"]["price"] for g in GEMS} == {
        "opal": "inferred",
        "sapphire": "inferred",
        "emerald": "cross-checked",
        "diamond": "cross-checked",
        "ruby": "cross-checked",
    }
    inferred = {c for c, item in characters.items() if item["certainty"]["dust"] == "inferred"}
    assert inferred == {"druid", "fairy", "kobold"}
    assert {i["id"] for i in ITEMS if i["certainty"] == "assumed"} == {"dust-per-missing-card", "bid-step"}
