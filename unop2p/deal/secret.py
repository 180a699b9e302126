"""Secret scalars: a type that does not show what it holds."""

import hmac

from unop2p.deal.group import SCALAR_BYTES, encode_scalar


class Secret:
    """A scalar that must not be printed, logged or compared in variable time."""

    __slots__ = ("_value",)

    def __init__(self, value: int) -> None:
        """Wrap a scalar."""
        self._value = value

    def expose(self) -> int:
        """Return the scalar, for arithmetic alone."""
        return self._value

    def wipe(self) -> None:
        """Forget the scalar. Python may have copies; this drops ours."""
        self._value = 0

    def __repr__(self) -> str:
        """Show nothing."""
        return "Secret(…)"

    def __eq__(self, other: object) -> bool:
        """Compare in constant time."""
        if not isinstance(other, Secret):
            return NotImplemented
        return hmac.compare_digest(encode_scalar(self._value), encode_scalar(other.expose()))

    __hash__ = None  # type: ignore[assignment]  # a secret is no key of a dict

    def __reduce__(self) -> str:
        """Refuse to be pickled."""
        message = "a secret is not written anywhere but to its own file"
        raise TypeError(message)


SECRET_BYTES = SCALAR_BYTES
