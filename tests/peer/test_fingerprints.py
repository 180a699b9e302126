"""Keys are shown in one way everywhere, or people could not compare them."""

from unop2p.edge.keystore import Identity
from unop2p.log.digest import fingerprint
from unop2p.rules.options import preset
from unop2p.sim.ring import Ring
from unop2p.table import notices


def test_lobby_and_table_show_keys_as_id_and_audit_do() -> None:
    ring = Ring(2, preset("official"), seed=1)
    ring.run(lambda r: all(place.peer.chain is not None for place in r.places))
    shown = [seat.fingerprint for seat in ring.places[0].peer.view().seats]
    identities = [
        Identity(name="x", private_key=place.key, public=place.key.public_key().public_bytes_raw())
        for place in ring.places
    ]
    assert sorted(shown) == sorted(identity.fingerprint for identity in identities)
    joined = [n.fingerprint for n in ring.places[0].notices if isinstance(n, notices.SeatJoined)]
    assert set(joined) == {fingerprint(identity.public) for identity in identities}
