"""Harbour, clause by clause: the battery's own game must itself be a sound and complete one."""

from __future__ import annotations

from copy import copy
from typing import Any

from service.engine.deck import Deck, pool_of
from service.engine.judge import Judgement, judge
from service.engine.options import options
from service.engine.places import changed
from service.engine.problems import problems
from service.engine.ruleset import SetupSeat
from service.engine.setup import Setup, start
from service.engine.state import ChanceState
from service.engine.table import Table
from service.engine.view import view
from tests.conformance.toy import COPIES, RULES, WORTH

GOODS = ("ale", "bread", "cloth", "dye")


class Game:
    """Ann and Bob, with hands as wished; chance is asked."""

    def __init__(self, ann: str = "ale bread cloth", bob: str = "ale bread dye", **setup: Any) -> None:
        seats = [SetupSeat("ann"), SetupSeat("bob")]
        self.last = start(RULES, Setup(seats, "toy", ChanceState(mode="given"), setup))
        self.draws(*ann.split(), *bob.split())

    @property
    def state(self) -> Any:
        return self.last.state

    @property
    def board(self) -> Any:
        return self.state.table

    def draws(self, *goods: str) -> None:
        for good in goods:
            self.does("draw", "chance", good=good)

    def judge(self, kind: str, actor: str = "ann", **params: Any) -> Judgement:
        return judge(RULES, self.state, {"kind": kind, "actor": actor, **params})

    def does(self, kind: str, actor: str = "ann", **params: Any) -> Judgement:
        self.last = self.judge(kind, actor, **params)
        assert self.last.legal, self.last.violations
        assert problems(RULES, self.state) == []
        return self.last

    def refused(self, kind: str, actor: str = "ann", **params: Any) -> list[str]:
        judged = self.judge(kind, actor, **params)
        assert not judged.legal
        return [v.rule for v in judged.violations]

    def asked(self) -> list[tuple[str, str]]:
        return [(d.actor, d.because) for d in self.last.decisions]

    def put(self, value: Any, *path: str) -> None:
        self.last.state = copy(self.state)
        self.last.state.table = changed(self.board, path, lambda _: value)

    def auction(self, bid: int = 5) -> None:
        """Ann opens, bids and wins; nobody objects yet."""
        self.does("open-auction")
        self.does("bid", amount=bid)
        self.does("pass", "bob")


def test_toy_turn_1_every_round_begins_with_the_next_seat() -> None:
    game = Game()
    assert game.asked()[0][0] == "ann"
    game.does("end-turn")
    assert game.asked()[0][0] == "bob"
    game.does("end-turn", "bob")
    game.does("show", good="nothing")
    game.does("show", "bob", good="nothing")
    assert game.asked()[0][0] == "bob"


def test_toy_turn_2_a_third_act_is_refused() -> None:
    game = Game()
    game.does("use-charm")
    game.draws("ale")
    for _ in range(2):
        game.does("trade", goods={"ale": 1})
        game.draws("ale")
    assert game.refused("trade", goods={"ale": 1}) == ["TOY-TURN-2"]


def test_toy_turn_3_the_charm_allows_a_third_trade() -> None:
    game = Game()
    for _ in range(3):
        game.does("trade", goods={"ale": 1})
        game.draws("ale")
    assert game.refused("look") == ["TOY-TURN-2"]
    explained = judge(RULES, game.state, {"kind": "trade", "actor": "ann", "goods": {"ale": 1}}, explain=True)
    assert not explained.legal


def test_toy_charm_1_the_charm_reaches_through_a_look() -> None:
    game = Game()
    game.does("look")
    game.draws("dye", "dye")
    game.does("use-charm")
    game.draws("ale")
    assert game.board.seats["ann"].hand == {"ale": 2, "bread": 1, "cloth": 1}
    game.does("put-back", order=["dye", "dye"])


def test_toy_charm_2_a_second_charm_is_refused() -> None:
    game = Game()
    game.does("use-charm")
    game.draws("ale")
    assert game.refused("use-charm") == ["TOY-CHARM-2"]


def test_toy_auc_1_a_second_auction_is_refused() -> None:
    game = Game()
    game.does("open-auction")
    game.does("pass")
    game.does("pass", "bob")
    assert game.refused("open-auction") == ["TOY-AUC-1"]


def test_toy_auc_2_a_bid_that_is_no_higher_is_refused() -> None:
    game = Game()
    game.does("open-auction")
    game.does("bid", amount=3)
    assert game.refused("bid", "bob", amount=3) == ["TOY-AUC-2"]


def test_toy_auc_3_a_bid_beyond_the_own_means_is_refused() -> None:
    game = Game()
    game.does("open-auction")
    assert game.refused("bid", amount=7) == ["TOY-AUC-3"]
    assert game.judge("bid", amount=7).violations[0].facts["means"] == 6


def test_toy_auc_4_a_bid_out_of_turn_is_refused() -> None:
    game = Game()
    game.does("open-auction")
    assert game.refused("bid", "bob", amount=1) == ["TOY-AUC-4"]


def test_toy_auc_5_an_objection_without_dye_is_refused() -> None:
    game = Game(bob="ale bread cloth")
    game.auction()
    assert game.refused("object", "bob") == ["TOY-AUC-5"]


def test_toy_auc_5_an_objection_raises_the_price() -> None:
    game = Game()
    game.auction()
    game.does("object", "bob")
    assert game.state.stack[-1].price == 6
    assert game.board.discard == {"dye": 1}


def test_toy_auc_6_who_pays_takes_the_crate() -> None:
    game = Game()
    game.auction()
    game.does("accept", "bob")
    game.does("roll", "chance", die=6)
    game.does("pay", goods={"bread": 1, "cloth": 1})
    assert game.board.seats["ann"].crates == {"crate": 1}


def test_toy_storm_1_a_one_ends_the_auction() -> None:
    game = Game()
    game.auction()
    game.does("accept", "bob")
    events = game.does("roll", "chance", die=1).events
    assert [e.kind for e in events] == ["rolled", "unwound"]
    assert game.asked()[0] == ("ann", "TOY-TURN-2")


def test_toy_r_1_storms_can_be_left_out() -> None:
    game = Game(storms=False)
    game.auction()
    game.does("accept", "bob")
    game.does("roll", "chance", die=1)
    assert game.asked() == [("ann", "TOY-PAY-1")]


def paying(bid: int = 5, ann: str = "ale bread cloth") -> Game:
    game = Game(ann=ann)
    game.auction(bid)
    game.does("object", "bob")
    game.does("roll", "chance", die=6)
    return game


def test_toy_pay_1_too_little_is_refused() -> None:
    assert paying().refused("pay", goods={"bread": 1, "cloth": 1}) == ["TOY-PAY-1"]


def test_toy_pay_2_what_could_be_left_out_is_refused() -> None:
    game = paying(bid=3)
    assert game.refused("pay", goods={"bread": 1, "cloth": 1, "ale": 1}) == ["TOY-PAY-2"]


def test_toy_pay_3_to_default_is_refused_to_who_can_pay() -> None:
    assert paying().refused("default") == ["TOY-PAY-3"]
    paying(bid=6).does("default")


def test_toy_trade_1_more_than_three_goods_are_refused() -> None:
    game = Game()
    game.does("use-charm")
    game.draws("ale")
    assert game.refused("trade", goods={"ale": 2, "bread": 1, "cloth": 1}) == ["TOY-TRADE-1"]


def test_toy_trade_2_two_dye_are_refused() -> None:
    assert Game(ann="dye dye ale").refused("trade", goods={"dye": 2}) == ["TOY-TRADE-2"]


def test_toy_look_1_a_look_into_a_short_deck_is_refused() -> None:
    game = Game()
    game.put(Deck(), "deck")
    assert game.refused("look") == ["TOY-LOOK-1"]


def test_toy_look_2_both_goods_go_back_or_it_is_refused() -> None:
    game = Game()
    game.does("look")
    game.draws("dye", "cloth")
    assert game.refused("put-back", order=["dye"]) == ["TOY-LOOK-2"]
    game.does("put-back", order=["cloth", "dye"])
    assert game.board.deck.known_by("ann") == ["cloth", "dye"]
    assert game.board.deck.known_by("bob") == []
    assert "cloth" not in str(view(game.state, "bob")["table"]["deck"])


def test_toy_sail_1_a_voyage_that_cannot_be_finished_is_refused() -> None:
    game = Game(ann="ale ale ale")
    assert game.refused("sail") == ["TOY-SAIL-1"]
    assert "sail" not in [o.act.kind for o in options(Table(RULES, game.state))]


def test_toy_sail_2_a_good_that_is_not_there_is_refused() -> None:
    game = Game()
    game.does("sail")
    assert game.refused("stow", good="dye") == ["TOY-SAIL-2"]
    game.does("stow", good="ale")
    game.does("stow", good="bread")
    assert game.board.seats["ann"].crates == {"crate": 1}


def test_toy_sail_3_the_same_good_again_is_refused() -> None:
    game = Game(ann="ale ale bread")
    game.does("sail")
    game.does("stow", good="ale")
    assert game.refused("stow", good="ale") == ["TOY-SAIL-3"]


def showing(ann: str, bob: str) -> Game:
    game = Game()
    game.does("end-turn")
    game.does("end-turn", "bob")
    game.does("show", good=ann)
    game.does("show", "bob", good=bob)
    return game


def test_toy_show_1_answers_are_sealed_until_the_last_is_in() -> None:
    game = Game()
    game.does("end-turn")
    game.does("end-turn", "bob")
    game.does("show", "bob", good="dye")
    assert view(game.state, "ann")["stack"][0]["sealed"] == {"bob": None}
    assert game.refused("show", "bob", good="ale") == ["TOY-SHOW-1"]
    game.does("show", good="ale")
    assert game.board.discard == {"ale": 1, "dye": 1}


def test_toy_show_2_a_good_of_somebody_else_is_refused() -> None:
    game = Game()
    game.does("end-turn")
    game.does("end-turn", "bob")
    assert game.refused("show", good="dye") == ["TOY-SHOW-2"]


def test_toy_show_2_the_dearest_that_stands_alone_draws_two() -> None:
    assert showing("cloth", "dye").state.stack[-1].seat == "bob"
    assert showing("ale", "ale").asked()[0] == ("bob", "TOY-TURN-2")


def test_toy_deck_1_what_is_not_in_the_deck_cannot_be_drawn() -> None:
    game = Game()
    game.does("use-charm")
    assert game.refused("draw", "chance", good="rum") == ["TOY-DECK-1"]


def test_toy_deck_2_an_empty_deck_is_made_anew() -> None:
    game = Game()
    left = {good: COPIES - n for good, n in {"ale": 2, "bread": 2, "cloth": 1, "dye": 1}.items()}
    game.put(Deck(), "deck")
    game.put(left, "discard")
    shuffled = game.does("use-charm").events[-1]
    assert (shuffled.kind, shuffled.because) == ("shuffled", "TOY-DECK-2")
    assert game.board.deck == pool_of(left)


def test_toy_deck_3_the_pieces() -> None:
    assert RULES.pieces_of(Game().state) == {"good": dict.fromkeys(WORTH, 6), "crate": {"crate": 9}}


def test_toy_end_1_nothing_is_accepted_after_the_sixth_round() -> None:
    game = Game()
    game.put(6, "round")
    game.does("end-turn")
    game.does("end-turn", "bob")
    game.does("show", good="nothing")
    game.does("show", "bob", good="nothing")
    assert game.state.outcome.because == "TOY-END-1"
    assert game.state.outcome.winners == ["ann", "bob"]


def test_toy_end_1_an_action_after_the_end_is_refused() -> None:
    game = Game()
    game.put({}, "shore")
    game.put({"crate": 9}, "seats", "bob", "crates")
    game.does("end-turn")
    assert game.refused("end-turn", "bob") == ["TOY-END-1"]


def test_toy_end_2_the_last_crate_ends_the_game_at_once() -> None:
    game = Game()
    game.put({"crate": 1}, "shore")
    game.put({"crate": 8}, "seats", "bob", "crates")
    game.does("sail")
    game.does("stow", good="ale")
    events = game.does("stow", good="bread").events
    assert events[-1].because == "TOY-END-2"
    assert game.state.outcome.winners == ["bob"]
