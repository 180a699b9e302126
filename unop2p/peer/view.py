"""What our player sees, put together from the lobby, the chain and what was heard."""

from functools import lru_cache

from unop2p.ids import Seat
from unop2p.log.digest import fingerprint
from unop2p.peer.chain import Chain
from unop2p.peer.checking import lacking
from unop2p.peer.gossip import Gossip
from unop2p.peer.lobby import Lobby
from unop2p.peer.programs import program_words
from unop2p.rules.cards import deck_for
from unop2p.rules.describe import describe, differences
from unop2p.rules.due import TurnDue
from unop2p.rules.options import PRESETS, Options
from unop2p.table.phases import Phase, StepKind
from unop2p.table.view import (
    DealView,
    SeatView,
    ShuffleProgress,
    Stage,
    TableView,
    looked_on,
)


@lru_cache(maxsize=8)
def rules_lines(options: Options) -> tuple[str, ...]:
    """Return the rules in force, what differs from `official` first."""
    different = differences(options, PRESETS["official"])
    return (*different, *(line for line in describe(options) if line not in different))


def table_view(lobby: Lobby, chain: Chain | None, gossip: Gossip, now_ms: int) -> TableView:
    """Return the view of the peer that these belong to."""
    if chain is None:
        return _lobby_view(lobby, now_ms)
    state, seat = chain.state, chain.seat
    player = chain.own.player_view(state) if chain.own is not None else None
    turn = _is_turn_due(chain)
    reacting = (
        state.plan.phase is Phase.REACTION
        and seat is not None
        and seat not in chain.open.statements
        and not chain.making
    )
    legal = player.legal() if player is not None and (turn or reacting) else ()
    return TableView(
        stage=_stage(chain),
        seat=seat,
        seats=tuple(_seat_view(chain, gossip, index, now_ms) for index in state.seats),
        order=state.match.order if state.match is not None else (),
        options=chain.table.options,
        seats_wanted=chain.table.seat_count,
        step=chain.open.step,
        round_number=state.rounds_begun if state.match is not None else 0,
        match=state.match,
        round=state.round,
        hand=chain.own.hand(state) if chain.own is not None else (),
        drawn=player.drawn if player is not None else None,
        legal=legal,
        my_turn=turn,
        my_reaction=reacting and bool(legal),
        deadline_ms=_deadline(chain, now_ms),
        waiting_for=chain.missing(),
        patience_ms=_patience(chain, now_ms),
        shuffle=_shuffle(chain),
        player=player,
        reason=chain.fault.reason if chain.fault is not None else "",
        rules_lines=rules_lines(chain.table.options),
        resilience=chain.table.resilience,
        hints=chain.table.offer.hints,
        deal=_deal(chain),
    )


def _lobby_view(lobby: Lobby, now_ms: int) -> TableView:
    options = lobby.offered.options() if lobby.offered is not None else PRESETS["official"]
    seats = tuple(
        SeatView(
            seat=Seat(index),
            name=held.join.name,
            bot=held.join.bot,
            **program_words(held.join.program),
            fingerprint=fingerprint(key),
            hand_count=0,
            total=0,
            heard_ms=now_ms - held.heard_ms,
            due=False,
            uno=False,
            catchable=False,
            ready=lobby.is_ready(key),
        )
        for index, (key, held) in enumerate(lobby.joins.items())
    )
    return looked_on(
        stage=Stage.LOBBY,
        seat=None,
        seats=seats,
        order=(),
        options=options,
        seats_wanted=lobby.offered.seats_wanted if lobby.offered is not None else 0,
        step=-1,
        round_number=0,
        match=None,
        round=None,
        rules_lines=rules_lines(options),
        resilience=lobby.offered.resilience if lobby.offered is not None else 0,
        hints=lobby.offered is None or lobby.offered.hints,
    )


def _stage(chain: Chain) -> Stage:
    if chain.fault is not None and chain.desk.stopped:
        return Stage.STOPPED
    if chain.state.over:
        return Stage.OVER
    if chain.state.plan.phase is Phase.HANDS:
        return Stage.SCORING
    if chain.state.round is None or not chain.state.hands:
        return Stage.DEALING
    return Stage.PLAYING


def _seat_view(chain: Chain, gossip: Gossip, seat: Seat, now_ms: int) -> SeatView:
    table, state = chain.table, chain.state
    round_ = state.round
    heard = gossip.heard_ms.get(seat)
    return SeatView(
        seat=seat,
        name=table.names[seat],
        bot=table.bots[seat],
        **program_words(table.programs[seat]),
        fingerprint=fingerprint(table.keys[seat]),
        hand_count=len(state.hands.get(seat, ())),
        total=state.match.totals[seat] if state.match is not None else 0,
        heard_ms=now_ms - heard if heard is not None else None,
        due=seat not in chain.open.statements,
        uno=round_ is not None and seat in round_.called,
        catchable=round_ is not None and seat in round_.catchable,
    )


def _patience(chain: Chain, now_ms: int) -> int | None:
    """Return how long the seats that are missing are waited for; None without a majority of others."""
    state, step = chain.state, chain.open
    silent = lacking(step)
    if not silent or 2 * (len(step.voters) - len(silent)) <= len(step.voters):
        return None
    until = max(chain.voter.until_ms(state, step, seat) for seat in silent)
    return max(0, until - now_ms)


def _deadline(chain: Chain, now_ms: int) -> int | None:
    spent = now_ms - chain.open.opened_ms
    match chain.state.plan.kind:
        case StepKind.TURN:
            return max(0, chain.table.offer.timers.turn_ms - spent)
        case StepKind.REACTION:
            return max(0, chain.table.reaction_ms - spent)
        case _:
            return None


def _shuffle(chain: Chain) -> ShuffleProgress | None:
    plan = chain.state.plan
    if plan.phase is not Phase.SHUFFLE:
        return None
    done = tuple(seat for seat in plan.speakers if chain.is_done(seat))
    return ShuffleProgress(done=done, total=len(plan.speakers))


def _deal(chain: Chain) -> DealView:
    """Return what has been shown of the round's deal."""
    state = chain.state
    speakers = state.plan.speakers
    cards = _deck_size(chain.table.options)
    shuffled = state.round is not None and state.next_position >= cards
    return DealView(
        phase=state.plan.phase,
        done=tuple(seat for seat in speakers if chain.is_done(seat)),
        owing=tuple(seat for seat in speakers if not chain.is_done(seat)),
        proved=not state.replayed,
        shuffled=state.shuffle_order() if shuffled else (),
        cards=cards,
        fresh=max(0, state.next_position - cards),
    )


@lru_cache(maxsize=8)
def _deck_size(options: Options) -> int:
    return len(deck_for(options))


def _is_turn_due(chain: Chain) -> bool:
    """Say whether the open step waits for our own move."""
    round_ = chain.state.round
    return (
        chain.seat is not None
        and round_ is not None
        and isinstance(round_.due, TurnDue)
        and chain.state.plan.phase is Phase.TURN
        and chain.seat in chain.state.plan.speakers
        and chain.seat not in chain.open.statements
        and not chain.making
    )
