"""The group as the other modules see it: what is let in, and what the operations give."""

import importlib.util
import sys
from types import ModuleType

import pytest
from hypothesis import given
from hypothesis import strategies as st

import unop2p.deal
from tests.deal.vectors import load
from unop2p.deal import group
from unop2p.deal.group import (
    BASE,
    IDENTITY,
    Point,
    Q,
    add,
    base_mul,
    decode_point,
    decode_points,
    decode_scalar,
    encode_scalar,
    hash_to_bytes,
    hash_to_point,
    hash_to_scalar,
    lin2,
    linear_combination,
    mul,
    sub,
    sum_points,
)
from unop2p.errors import MalformedError

VECTORS = load("ristretto255.json")
SCALARS = st.integers(min_value=0, max_value=Q - 1)


def test_multiples_of_the_base_point_are_those_of_the_rfc() -> None:
    assert [base_mul(k).encoded.hex() for k in range(16)] == VECTORS["multiples"]
    assert [mul(k, BASE).encoded.hex() for k in range(16)] == VECTORS["multiples"]


@pytest.mark.parametrize("encoding", VECTORS["bad_encodings"])
def test_bad_encoding_of_the_rfc_is_refused(encoding: str) -> None:
    with pytest.raises(MalformedError):
        decode_point(bytes.fromhex(encoding))


@pytest.mark.parametrize("encoding", VECTORS["multiples"][1:])
def test_good_encoding_is_taken_and_with_bit_255_refused(encoding: str) -> None:
    data = bytes.fromhex(encoding)
    assert decode_point(data).encoded == data
    with pytest.raises(MalformedError):
        decode_point(data[:31] + bytes([data[31] | 0x80]))


def test_identity_is_refused_from_outside() -> None:
    with pytest.raises(MalformedError, match="identity"):
        decode_point(bytes(32))
    with pytest.raises(MalformedError):
        decode_point(bytes(31) + b"\x80")


@pytest.mark.parametrize("size", [0, 31, 33, 64])
def test_point_of_another_length_is_refused(size: int) -> None:
    with pytest.raises(MalformedError):
        decode_point((BASE.encoded * 2)[:size])


def test_list_of_points_needs_its_exact_length() -> None:
    data = BASE.encoded + base_mul(2).encoded
    assert decode_points(data, 2) == (BASE, base_mul(2))
    for count in (1, 3):
        with pytest.raises(MalformedError):
            decode_points(data, count)


@pytest.mark.parametrize("value", [0, 1, Q - 1])
def test_reduced_scalar_is_taken(value: int) -> None:
    assert decode_scalar(encode_scalar(value)) == value


@pytest.mark.parametrize("value", [Q, Q + 1, 2**253, 2**255 + 1, 2**256 - 1])
def test_scalar_not_reduced_is_refused(value: int) -> None:
    with pytest.raises(MalformedError):
        decode_scalar(value.to_bytes(32, "little"))


@pytest.mark.parametrize("size", [0, 31, 33])
def test_scalar_of_another_length_is_refused(size: int) -> None:
    with pytest.raises(MalformedError):
        decode_scalar(bytes(size))


def test_operations_know_the_identity() -> None:
    point = base_mul(5)
    assert IDENTITY.is_identity
    assert not point.is_identity
    assert mul(0, point) == mul(Q, point) == mul(7, IDENTITY) == base_mul(0) == IDENTITY
    assert sub(point, point) == add(point, mul(-1, point)) == IDENTITY
    assert add(point, IDENTITY) == add(IDENTITY, point) == sub(point, IDENTITY) == point
    assert sum_points([]) == linear_combination([], []) == IDENTITY
    assert sum_points([point, mul(-1, point), point]) == point


@given(SCALARS, SCALARS, SCALARS)
def test_operations_are_those_of_the_exponents(a: int, b: int, c: int) -> None:
    p, r = base_mul(a), base_mul(b)
    assert add(p, r) == base_mul(a + b)
    assert sub(p, r) == base_mul(a - b)
    assert mul(c, p) == base_mul(a * c)
    assert lin2(b, p, c, r) == base_mul(a * b + b * c)
    assert linear_combination([c, b, a], [p, r, BASE]) == base_mul(a * c + b * b + a)
    assert sum_points([p, r, p]) == base_mul(2 * a + b)


def test_hashes_depend_on_label_and_on_where_parts_end() -> None:
    inputs = [("x", (b"ab", b"c")), ("x", (b"a", b"bc")), ("x", (b"abc",)), ("xa", (b"b", b"c"))]
    inputs += [("x", (b"ab", b"c", b"")), ("y", (b"ab", b"c"))]
    for hashed in (hash_to_point, hash_to_scalar, hash_to_bytes):
        assert len({hashed(label, *parts) for label, parts in inputs}) == len(inputs)


def test_hash_to_scalar_is_reduced() -> None:
    assert all(0 <= hash_to_scalar("t", bytes([i])) < Q for i in range(50))


def test_point_compares_by_bytes_shows_little_and_does_not_change() -> None:
    point = Point(BASE.encoded)
    assert point == BASE
    assert hash(point) == hash(BASE)
    assert point != BASE.encoded
    assert BASE.encoded.hex() not in repr(point)
    assert repr(point) == "Point(e2f2ae0a…)"
    with pytest.raises(AttributeError):
        point.encoded = bytes(32)  # type: ignore[misc]  # the point of the test


def _second_copy() -> ModuleType:
    spec = importlib.util.spec_from_file_location("second_group", group.__file__)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_plain_python_serves_where_no_wheel_loads(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(unop2p.deal, "sodium_group", raising=False)
    monkeypatch.setitem(sys.modules, "unop2p.deal.sodium_group", None)
    fallback = _second_copy()
    assert fallback.backend.__name__ == "unop2p.deal.reference_group"
    assert fallback.base_mul(12).encoded.hex() == VECTORS["multiples"][12]
