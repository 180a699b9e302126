"""Plain Python against the vectors of the RFC, and against libsodium, byte for byte."""

import hashlib
import importlib.util
import sys
from collections.abc import Iterator
from types import ModuleType

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.deal.vectors import load
from unop2p.deal import reference_group, sodium_group

VECTORS = load("ristretto255.json")
BACKENDS = (reference_group, sodium_group)
POINTS = st.binary(min_size=64, max_size=64).map(sodium_group.raw_from_hash)
ORDER = 2**252 + 27742317777372353535851937790883648493
SCALARS = st.integers(0, ORDER - 1).map(lambda value: value.to_bytes(32, "little"))


def test_multiples_are_those_of_the_rfc() -> None:
    total = bytes(32)
    base = bytes.fromhex(VECTORS["multiples"][1])
    for number, encoding in enumerate(VECTORS["multiples"]):
        assert total.hex() == encoding
        assert reference_group.raw_base(number.to_bytes(32, "little")).hex() == encoding
        total = reference_group.raw_add(total, base)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("encoding", VECTORS["bad_encodings"])
def test_bad_encoding_is_refused_by_both(backend: ModuleType, encoding: str) -> None:
    assert not backend.raw_valid(bytes.fromhex(encoding))


@pytest.mark.parametrize("backend", BACKENDS)
def test_bit_255_is_refused_by_both(backend: ModuleType) -> None:
    for encoding in VECTORS["multiples"]:
        data = bytes.fromhex(encoding)
        assert backend.raw_valid(data)
        assert not backend.raw_valid(data[:31] + bytes([data[31] | 0x80]))


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("size", [0, 31, 33])
def test_other_lengths_are_refused_by_both(backend: ModuleType, size: int) -> None:
    assert not backend.raw_valid(bytes(size))


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize(("text", "encoding"), VECTORS["hashed"])
def test_hashed_points_are_those_of_the_rfc(backend: ModuleType, text: str, encoding: str) -> None:
    digest = hashlib.sha512(text.encode()).digest()
    assert backend.raw_from_hash(digest).hex() == encoding


@given(st.binary(min_size=32, max_size=32))
def test_both_take_and_refuse_the_same_bytes(data: bytes) -> None:
    assert reference_group.raw_valid(data) == sodium_group.raw_valid(data)


@given(st.integers(0, 2**255 - 1))
def test_both_take_and_refuse_the_same_even_numbers(value: int) -> None:
    # Half of the even field elements are encodings: random bytes alone would mostly be refused.
    data = (value & ~1).to_bytes(32, "little")
    assert reference_group.raw_valid(data) == sodium_group.raw_valid(data)


@given(st.binary(min_size=64, max_size=64))
def test_both_hash_alike(data: bytes) -> None:
    assert reference_group.raw_from_hash(data) == sodium_group.raw_from_hash(data)


@settings(max_examples=30, deadline=None)
@given(POINTS, POINTS, SCALARS)
def test_both_compute_alike(left: bytes, right: bytes, scalar: bytes) -> None:
    for call, inputs in (
        ("raw_add", (left, right)),
        ("raw_sub", (left, right)),
        ("raw_add", (left, left)),
        ("raw_sub", (left, left)),
        ("raw_add", (left, bytes(32))),
        ("raw_mul", (scalar, left)),
        ("raw_mul", (bytes(32), left)),
        ("raw_mul", (scalar, bytes(32))),
        ("raw_base", (scalar,)),
    ):
        mine, theirs = getattr(reference_group, call), getattr(sodium_group, call)
        assert mine(*inputs) == theirs(*inputs)


@pytest.fixture(scope="module")
def plain() -> Iterator[ModuleType]:
    """Load the module a second time, as if gmpy2 were not there."""
    found = importlib.util.find_spec("unop2p.deal.reference_group")
    assert found is not None and found.loader is not None
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(sys.modules, "gmpy2", None)
        module = importlib.util.module_from_spec(found)
        found.loader.exec_module(module)
        assert module.number is int
        yield module


@settings(max_examples=20, deadline=None)
@given(left=POINTS, right=POINTS, scalar=SCALARS, data=st.binary(min_size=64, max_size=64))
def test_numbers_of_python_and_of_gmp_come_to_the_same_bytes(
    plain: ModuleType, left: bytes, right: bytes, scalar: bytes, data: bytes
) -> None:
    for name, inputs in (
        ("raw_add", (left, right)),
        ("raw_sub", (left, right)),
        ("raw_mul", (scalar, left)),
        ("raw_base", (scalar,)),
        ("raw_from_hash", (data,)),
        ("raw_valid", (data[:32],)),
        ("raw_valid", (left,)),
    ):
        result = getattr(plain, name)(*inputs)
        assert result == getattr(reference_group, name)(*inputs)
        assert type(result) in {bytes, bool}


@given(POINTS)
def test_encode_undoes_decode(data: bytes) -> None:
    point = reference_group.decode(data)
    assert point is not None
    assert reference_group.encode(point) == data
