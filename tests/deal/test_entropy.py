"""A stream of bytes out of a seed."""

from unop2p.deal.entropy import seeded_entropy


def test_same_seed_gives_the_same_stream() -> None:
    one, two = seeded_entropy(b"s" * 32), seeded_entropy(b"s" * 32)
    assert [one(5), one(32), one(100)] == [two(5), two(32), two(100)]


def test_bytes_are_new_each_time_and_differ_by_seed() -> None:
    one, two = seeded_entropy(b"s" * 32), seeded_entropy(b"t" * 32)
    drawn = [one(32), one(32), two(32), two(32)]
    assert len(set(drawn)) == 4
    assert all(len(part) == 32 for part in drawn)
