"""Computes a deal again, without the game: `python -m tests.vectors.read_deal tests/vectors/deals/*`."""

import gzip
import json
import sys
from math import prod
from pathlib import Path
from typing import Any

from tests.vectors import tiny_ristretto as r
from tests.vectors.tiny_ristretto import BASE, decode, encode, encoded, ints, lin, points, scalar


def check_keys(deal: dict[str, Any]) -> None:
    for number, seat in enumerate(deal["seats"]):
        key, (c, s) = seat["key"], ints(seat["key_proof"])
        assert encode(lin([(ints(seat["x"])[0], BASE)])) == key
        assert encode(lin([(ints(seat["shuffle_seed"])[0], BASE)])) == seat["shuffle_point"]
        place = b"", deal["table"], r.num(deal["round"], 8), r.num(number, 2)
        said = r.wide("commitment", seat["coin_seed"], key, seat["box_key"], *place)
        announced = encode(lin([(s, BASE), (-c, decode(key))]))
        assert said[:32] == seat["commitment"]
        assert c == scalar("challenge/key", seat["key_context"], key, announced), "a key's proof"
    assert encode(lin((1, decode(seat["key"])) for seat in deal["seats"])) == deal["joint"]
    assert r.wide("coin", *(seat["coin_seed"] for seat in deal["seats"]))[:32] == deal["coin"]


def check_terelius_wikstrom(place: bytes, x: bytes, old: bytes, new: bytes, proof: bytes) -> None:
    n = len(old) // 64
    c_bytes, chain = proof[: 32 * n], proof[32 * n : 64 * n]
    e, s1, s2, s3, s4, *s = ints(proof[64 * n :])
    s_hat, s_prime, c = s[:n], s[n:], points(c_bytes)
    h, *hs = [r.point("generator", r.num(k, 4)) for k in range(n + 1)]
    u, chained = r.weights("shuffle", place, n, x, old, new, c_bytes), [h, *points(chain)]
    minus = [-e * weight for weight in u]
    t = [lin([(s1, BASE), *((-e, p) for p in c), *((e, p) for p in hs)])]
    t += [lin([(s2, BASE), (-e, chained[-1]), (e * prod(u), h)])]
    t += [lin([(s3, BASE), *zip(s_prime, hs), *zip(minus, c)])]
    for k, base in ((1, decode(x)), (0, BASE)):
        heaps = *zip(s_prime, points(new)[k::2]), *zip(minus, points(old)[k::2])
        t.append(lin([(-s4, base), *heaps]))
    steps = zip(s_hat, s_prime, chained, chained[1:])
    t_hat = [lin([(a, BASE), (b, before), (-e, after)]) for a, b, before, after in steps]
    hashed = x, old, new, c_bytes, chain, encoded(t), encoded(t_hat)
    assert e == scalar("challenge/shuffle", place, *hashed), "a shuffle's proof"


def check_shuffles(deal: dict[str, Any]) -> bytes:
    x, cards = deal["joint"], b""
    for label in deal["labels"]:
        cards += encoded([BASE, r.add(r.point("face", label.encode()), decode(x))])
    for shuffle in deal["shuffles"]:
        order, factors, after = shuffle["order"], ints(shuffle["factors"]), b""
        for place, factor in zip(order, factors):
            c1, c2 = points(cards[64 * place : 64 * place + 64])
            after += encoded([lin([(1, c1), (factor, BASE)]), lin([(1, c2), (factor, decode(x))])])
        assert after == shuffle["outputs"] and sorted(order) == list(range(len(order))), "a card"
        if deal["argument"] == "proved":
            check_terelius_wikstrom(shuffle["context"], x, cards, after, shuffle["proof"])
        else:
            seat = deal["seats"][shuffle["seat"]]
            assert (order, factors) == r.way_of(seat["shuffle_seed"], 0, cards), "an order"
        cards = after
    return cards


def check_shares(deal: dict[str, Any], cards: bytes) -> None:
    masks: dict[int, r.Point] = {}
    for batch in deal["shares"]:
        seat, positions = deal["seats"][batch["seat"]], batch["positions"]
        c1 = b"".join(cards[64 * place : 64 * place + 32] for place in positions)
        shares, (c, s), x = batch["data"][:-64], ints(batch["data"][-64:]), ints(seat["x"])[0]
        assert encoded(lin([(x, p)]) for p in points(c1)) == shares, "a share"
        w = r.weights("shares", batch["context"], len(positions), seat["key"], c1, shares)
        one, two = lin(zip(w, points(c1))), lin(zip(w, points(shares)))
        said = [lin([(s, BASE), (-c, decode(seat["key"]))]), lin([(s, one), (-c, two)])]
        where = batch["context"], seat["key"]
        assert c == scalar("challenge/shares", *where, c1, shares, *map(encode, said)), "shares"
        for place, share in zip(positions, points(shares)):
            masks[place] = r.add(masks.get(place, r.ZERO), share)
    for place, label in deal["opened"]:
        shown = lin([(1, decode(cards[64 * place + 32 : 64 * place + 64])), (-1, masks[place])])
        assert encode(shown) == encode(r.point("face", label.encode())), "a face"


def taken(key: str, value: Any) -> Any:
    return bytes.fromhex(value) if isinstance(value, str) and key != "argument" else value


def check(path: Path) -> None:
    raw = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    deal = json.loads(raw, object_hook=lambda item: {k: taken(k, v) for k, v in item.items()})
    check_keys(deal)
    check_shares(deal, check_shuffles(deal))


if __name__ == "__main__":
    for name in sys.argv[1:]:
        check(Path(name))
        print(f"{name}: every value is as it should be")
