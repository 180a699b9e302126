"""What has been proved about the deal so far, and by whom, in plain words. Pure."""

from typing import Final

from unop2p.edge.verify import Verified
from unop2p.ids import Seat
from unop2p.repl.paint import clean, name
from unop2p.table.phases import Phase
from unop2p.table.view import DealView, TableView
from unop2p.words import ENGLISH, Words, mark

_PROVED_SO_FAR: Final = mark(
    "Shuffle: done so far, each with a proof that no card was added, lost or swapped: {done}. Still "
    "to come: {owing}."
)
_BOUND_SO_FAR: Final = mark(
    "Shuffle: done so far: {done}. Still to come: {owing}. Each shuffle follows from a seed that its "
    "seat is bound to; it is done again after the round."
)


def _named(view: TableView, seats: tuple[Seat, ...], words: Words) -> str:
    return ", ".join(name(view, seat) for seat in seats) or words.say("nobody")


def why_lines(view: TableView, words: Words = ENGLISH) -> list[str]:
    """Return what has been shown of the round's deal, from its keys to the cards on the table.

    Args:
        view: the table as the player sees it.
        words: the language of the person.
    """
    deal = view.deal
    if deal is None:
        return [words.say("Nothing yet: the table has not begun.")]
    lines = _keys(view, deal, words)
    if deal.phase not in (Phase.COMMIT, Phase.REVEAL):
        lines += _shuffle(view, deal, words)
    if view.round is not None and deal.shuffled:
        lines += _cards(view, deal, words)
    if view.step > 0:
        lines.append(
            words.say_n(
                "{n} step is settled: every seat has signed its word, and a majority that it saw "
                "the same.",
                "{n} steps are settled: every seat has signed its words, and a majority that it saw "
                "the same.",
                view.step,
            )
        )
    lines.append(
        words.say(
            "`verify` checks all of it again, now, from nothing; `unop2p audit` does so with a "
            "record, for anybody."
        )
    )
    return lines


def _keys(view: TableView, deal: DealView, words: Words) -> list[str]:
    everybody = _named(view, tuple(shown.seat for shown in view.seats), words)
    done, owing = _named(view, deal.done, words), _named(view, deal.owing, words)
    if deal.phase is Phase.COMMIT:
        return [
            words.say(
                "Keys: who has committed to a key and a seed, before seeing another's: {done}. "
                "Still to come: {owing}.",
                done=done,
                owing=owing,
            )
        ]
    if deal.phase is Phase.REVEAL:
        return [
            words.say(
                "Keys: every seat has committed to a key and a seed. Who has shown them, and proved "
                "that it knows its key: {done}. Still to come: {owing}.",
                done=done,
                owing=owing,
            )
        ]
    lines = [
        words.say(
            "Keys: every seat ({names}) committed to a key and a seed before it saw the others', "
            "and proved that it knows its key.",
            names=everybody,
        )
    ]
    if deal.phase is Phase.SHARE:
        lines.append(
            words.say(
                "Shares: each seat seals a share of its key to each of the others, so that they can "
                "stand in for it. Done: {done}. Still to come: {owing}.",
                done=done,
                owing=owing,
            )
        )
    if view.round_number == 1:
        lines.append(
            words.say(
                "The seeds together were the coin for turn order and dealer: nobody could choose it."
            )
        )
    return lines


def _shuffle(view: TableView, deal: DealView, words: Words) -> list[str]:
    if not deal.shuffled:
        if deal.phase is not Phase.SHUFFLE:
            return []
        template = _PROVED_SO_FAR if deal.proved else _BOUND_SO_FAR
        done, owing = _named(view, deal.done, words), _named(view, deal.owing, words)
        return [words.say(template, done=done, owing=owing)]
    who = _named(view, deal.shuffled, words)
    if deal.proved:
        lines = [
            words.say(
                "Shuffle: {names} masked and mixed all {cards} cards, one after the other. Each has "
                "proved that no card was added, lost or swapped, without showing how it mixed; your "
                "own program has checked the proofs of the others.",
                names=who,
                cards=deal.cards,
            )
        ]
    else:
        lines = [
            words.say(
                "Shuffle: {names} masked and mixed all {cards} cards, one after the other, each by a "
                "seed that it is bound to. After the round the seeds are shown, and every shuffle is "
                "done again: a false one comes out then, and not before.",
                names=who,
                cards=deal.cards,
            )
        ]
    if view.seat in deal.shuffled:
        lines.append(
            words.say("You have shuffled too: whatever the others agreed on, they know no order.")
        )
    if deal.fresh:
        lines.append(
            words.say_n(
                "{n} card was shuffled anew since, in the same way.",
                "{n} cards were shuffled anew since, in the same way.",
                deal.fresh,
            )
        )
    return lines


def _cards(view: TableView, deal: DealView, words: Words) -> list[str]:
    assert view.round is not None
    lines: list[str] = []
    others = tuple(seat for seat in deal.shuffled if seat != view.seat)
    if view.hand and others:
        lines.append(
            words.say_n(
                "Your {n} card: each of {names} took its own lock off it, and proved that it was "
                "its own. The last lock is yours: nobody else can read it.",
                "Your {n} cards: each of {names} took its own lock off them, and proved that it was "
                "its own. The last lock is yours: nobody else can read them.",
                len(view.hand),
                names=_named(view, others, words),
            )
        )
    if view.round.pile_count:
        lines.append(
            words.say_n(
                "The pile: its {n} card lies under every seat's lock, and nobody can read it.",
                "The pile: its {n} cards lie under every seat's lock, and nobody can read them.",
                view.round.pile_count,
            )
        )
    if view.round.discards:
        lines.append(
            words.say(
                "Each card that was played was opened by its player with a proof: it is the card "
                "that was dealt."
            )
        )
    return lines


def verified_lines(found: Verified, words: Words = ENGLISH) -> list[str]:
    """Return what a check of the record so far has come to.

    Args:
        found: by the audit.
        words: the language of the person.
    """
    checked = words.say(
        "{statements} statements and {signatures} signatures were checked, with all their proofs, "
        "and every move and score by the rules.",
        statements=found.statements,
        signatures=found.signatures,
    )
    who = clean(found.author) or words.say("somebody")
    reason = clean(found.reason)
    match found.finding:
        case "fault":
            template = mark("! {name} broke the protocol at step {step}: {reason}")
            return [words.say(template, name=who, step=found.step, reason=reason), checked]
        case "broken":
            template = mark("! Step {step} does not hold, by {name}: {reason}")
            return [words.say(template, name=who, step=found.step, reason=reason), checked]
        case _:
            holds = words.say_n(
                "Everything holds: {n} step, replayed from nothing by the audit.",
                "Everything holds: {n} steps, replayed from nothing by the audit.",
                found.step,
            )
            return [holds, checked, words.say("Last head: {head}.", head=found.head[:16])]
