"""Challenges, weights and nonces depend on all that they should."""

from tests.deal.helpers import CONTEXT, chance, other_contexts
from unop2p.deal.group import Q
from unop2p.deal.transcript import HedgedNonces, challenge, encode_scalars, weights


def test_challenge_depends_on_kind_context_and_every_part() -> None:
    found = [
        challenge("kind", CONTEXT, b"a", b"b"),
        challenge("other", CONTEXT, b"a", b"b"),
        challenge("kind", CONTEXT, b"a", b"c"),
        challenge("kind", CONTEXT, b"ab", b""),
        challenge("kind", CONTEXT, b"a"),
        *(challenge("kind", context, b"a", b"b") for context in other_contexts()),
    ]
    assert len(set(found)) == len(found)
    assert found[0] == challenge("kind", CONTEXT, b"a", b"b")


def test_every_weight_depends_on_every_part() -> None:
    before = weights("kind", CONTEXT, 9, b"first", b"last")
    assert before == weights("kind", CONTEXT, 9, b"first", b"last")
    for after in (
        weights("kind", CONTEXT, 9, b"first", b"lost"),
        weights("kind", CONTEXT, 9, b"fist", b"last"),
        weights("else", CONTEXT, 9, b"first", b"last"),
        *(weights("kind", context, 9, b"first", b"last") for context in other_contexts()),
    ):
        assert all(one != two for one, two in zip(before, after, strict=True))


def test_weights_have_128_bits_and_repeat_not() -> None:
    found = weights("kind", CONTEXT, 200, b"x")
    assert len(found) == len(set(found)) == 200
    assert max(found) < 2**128
    assert max(found) > 2**120


def test_nonces_repeat_for_nothing_but_the_same_proof() -> None:
    def first(secret: bytes, statement: bytes, seed: str) -> int:
        return HedgedNonces(secret, CONTEXT, statement, chance(seed)).scalar()

    found = [first(b"x", b"s", "1"), first(b"y", b"s", "1"), first(b"x", b"t", "1")]
    found += [first(b"x", b"s", "2")]
    found += [
        HedgedNonces(b"x", context, b"s", chance("1")).scalar() for context in other_contexts()
    ]
    assert len(set(found)) == len(found)


def test_nonces_of_one_proof_are_all_different_and_reduced() -> None:
    nonces = HedgedNonces(b"x", CONTEXT, b"s", chance("1"))
    found = [nonces.scalar(), *nonces.scalars(3), nonces.scalar(), *nonces.scalars(2)]
    assert len(set(found)) == len(found) == 7
    assert all(0 < value < Q for value in found)
    assert nonces.entropy(8) != nonces.entropy(8)


def test_nonces_do_not_follow_from_chance_alone() -> None:
    def broken(count: int) -> bytes:
        return bytes(count)

    known = HedgedNonces(b"guess", CONTEXT, b"s", broken).scalar()
    assert HedgedNonces(b"secret", CONTEXT, b"s", broken).scalar() != known


def test_scalars_are_encoded_one_after_another() -> None:
    assert encode_scalars([1, Q + 2]) == b"\1" + bytes(31) + b"\2" + bytes(31)
