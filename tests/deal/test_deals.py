"""Whole deals, published: the same from the same seeds, and right for who shares no code with us."""

import gzip
import json

import pytest

from tests.deal.make_deals import DEALS, build, write
from tests.deal.vectors import FOLDER
from tests.vectors import read_deal, tiny_ristretto
from unop2p.deal import sodium_group

READ_LINES_MAX = 100
SMALL = sorted(name for name in DEALS if name.endswith(".json"))


def test_reader_is_a_page_and_uses_nothing_of_the_game() -> None:
    for module in (read_deal, tiny_ristretto):
        text = (FOLDER / f"{module.__name__.rpartition('.')[2]}.py").read_text(encoding="utf-8")
        assert "unop2p." not in text.replace("unop2p/v1/", "")
        assert "import unop2p" not in text
    lines = (FOLDER / "read_deal.py").read_text(encoding="utf-8").splitlines()
    assert len(lines) <= READ_LINES_MAX


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(DEALS))
def test_a_deal_from_the_same_seeds_is_the_stored_one(name: str) -> None:
    """Everything is verified on the way: `build` takes cards and shares from `verify` alone."""
    stored = (FOLDER / "deals" / name).read_bytes()
    raw = gzip.decompress(stored) if name.endswith(".gz") else stored
    assert json.loads(raw) == build(name)


@pytest.mark.slow
@pytest.mark.parametrize("name", SMALL)
def test_the_reader_comes_to_every_value_of_a_small_deal(name: str) -> None:
    read_deal.check(FOLDER / "deals" / name)


@pytest.mark.slow
@pytest.mark.parametrize("name", SMALL)
def test_the_reader_refuses_a_deal_with_one_digit_changed(name: str, tmp_path: object) -> None:
    from pathlib import Path

    folder = Path(str(tmp_path))
    deal = json.loads(write(name))

    def refused(spoiled: dict[str, object]) -> None:
        path = folder / "spoiled.json"
        path.write_text(json.dumps(spoiled), encoding="utf-8")
        with pytest.raises((AssertionError, ValueError)):
            read_deal.check(path)

    first = deal["shuffles"][0]
    for key in ("outputs", "factors"):
        digit = "0" if first[key][-64] != "0" else "1"
        changed = {**first, key: first[key][:-64] + digit + first[key][-63:]}
        refused({**deal, "shuffles": [changed, *deal["shuffles"][1:]]})
    refused({**deal, "opened": [[deal["opened"][0][0], "Y9"], *deal["opened"][1:]]})
    refused({**deal, "coin": deal["coin"][::-1]})


def test_the_readers_group_is_ours() -> None:
    data = bytes(range(64))
    hashed = tiny_ristretto.from_hash(data)
    assert tiny_ristretto.encode(hashed) == sodium_group.raw_from_hash(data)
    scalar = 12345678901234567890
    product = tiny_ristretto.lin([(scalar, hashed)])
    assert tiny_ristretto.encode(product) == sodium_group.raw_mul(
        scalar.to_bytes(32, "little"), sodium_group.raw_from_hash(data)
    )
