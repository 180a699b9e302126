"""Two forged proofs of shuffle, for verifiers whose weights leave out the prover's commitments.

Who shuffles first knows every face and all randomness. With weights that are known before the
permutation commitments are chosen, "commitments" to a matrix that is no permutation can be made to
fit. Of the cards the proof then shows one equation for each unknown point, and of the weights that
their products are equal: two unknown weights solve that, by a quadratic equation. The first forgery
needs a face that is there twice; the second needs the logarithms of the faces.

Source: the class of fault that Bernhard, Pereira and Warinschi describe (2012), found in a port of the
Terelius-Wikstrom argument whose first challenge hashed key and cards alone.
"""

from collections.abc import Sequence

from unop2p.deal import proved
from unop2p.deal.entropy import seeded_entropy
from unop2p.deal.group import Q, add, base_mul, linear_combination, mul
from unop2p.deal.masking import FaceTable, MaskedCard, encode_cards
from unop2p.deal.proved import generators, prove_openings
from unop2p.deal.transcript import HedgedNonces
from unop2p.sim.lab.defenses import known_face_logarithm
from unop2p.table.work import ShuffleTask

ATTEMPTS_MAX = 64
"""Each attempt has a square root with probability one half."""


def square_root(value: int) -> int | None:
    """Return a root modulo the order (Tonelli-Shanks; q - 1 = 4 mod 8), or None.

    >>> square_root(4) in {2, Q - 2}
    True
    """
    value %= Q
    if pow(value, (Q - 1) // 2, Q) != 1:
        return None
    root = pow(value, (Q + 3) // 8, Q)
    if root * root % Q != value:
        root = root * pow(2, (Q - 1) // 4, Q) % Q
    assert root * root % Q == value
    return root


def forge_copies(
    task: ShuffleTask, cards: Sequence[MaskedCard], faces: Sequence[str], rich: str
) -> tuple[bytes, bytes]:
    """Turn one of two equal cards into a copy of a third.

    Args:
        task: the shuffle to forge, the first of its step.
        cards: its inputs, of which all faces are known.
        faces: theirs.
        rich: the face that there shall be one more of.

    Returns:
        Outputs and proof.
    """
    third = faces.index(rich)
    first = next(i for i, face in enumerate(faces) if face != rich and faces.count(face) > 1)
    second = next(i for i, face in enumerate(faces) if face == faces[first] and i != first)
    told = list(faces)
    told[second] = rich
    for attempt in range(ATTEMPTS_MAX):
        outputs, factors = _outputs(task, told, attempt)
        u = _weights(task, cards, outputs)
        # u'1 = u1 + u2 for the one face; u'2 + u'3 = u3 for the other; the products are equal.
        alone = (u[first] + u[second]) % Q
        product = u[first] * u[second] * u[third] * pow(alone, -1, Q) % Q
        root = square_root(u[third] * u[third] - 4 * product)
        if root is None:
            continue
        half = pow(2, -1, Q)
        wanted = list(u)
        wanted[first] = alone
        wanted[second] = (u[third] + root) * half % Q
        wanted[third] = (u[third] - root) * half % Q
        return _prove(task, cards, outputs, factors, u, wanted)
    message = "no square in so many attempts"
    raise AssertionError(message)


def forge_any_card(
    task: ShuffleTask, cards: Sequence[MaskedCard], faces: Sequence[str], rich: str
) -> tuple[bytes, bytes]:
    """Turn the first card into a face of one's choice; args and returns as `forge_copies`.

    It makes its proof for the logarithms that faces would have if they were known.
    """
    logs = [known_face_logarithm(face.encode()) for face in faces]
    told = [rich, *faces[1:]]
    gift = known_face_logarithm(rich.encode())
    second = next(i for i in range(1, len(faces)) if logs[i] not in {gift, logs[0]})
    for attempt in range(ATTEMPTS_MAX):
        outputs, factors = _outputs(task, told, attempt)
        u = _weights(task, cards, outputs)
        # gift x + logs[second] y = what the inputs come to, and x y = u0 u_second.
        total = (u[0] * logs[0] + u[second] * logs[second]) % Q
        product = u[0] * u[second] % Q
        root = square_root(total * total - 4 * gift * logs[second] * product)
        if root is None:
            continue
        wanted = list(u)
        wanted[0] = (total + root) * pow(2 * gift, -1, Q) % Q
        wanted[second] = product * pow(wanted[0], -1, Q) % Q
        return _prove(task, cards, outputs, factors, u, wanted)
    message = "no square in so many attempts"
    raise AssertionError(message)


def _outputs(
    task: ShuffleTask, faces: Sequence[str], attempt: int
) -> tuple[list[MaskedCard], list[int]]:
    """Mask faces in their order; the last mask is another one in each attempt."""
    table = FaceTable(list(dict.fromkeys(faces)))
    factors = [1000 + index for index in range(len(faces))]
    factors[-1] += attempt
    outputs = [
        MaskedCard(base_mul(factor), add(table.point(face), mul(factor, task.joint)))
        for face, factor in zip(faces, factors, strict=True)
    ]
    return outputs, factors


def _weights(
    task: ShuffleTask, cards: Sequence[MaskedCard], outputs: Sequence[MaskedCard]
) -> list[int]:
    """Return the weights as the weak verifier computes them: no commitments go in."""
    fixed = (task.joint.encoded, encode_cards(cards), encode_cards(outputs))
    # Looked up when it is called: a weak verifier's own is taken where one is in force.
    weigh = vars(proved)["weights"]
    found: list[int] = weigh("shuffle", task.context, len(cards), *fixed, b"")
    return found


def _prove(
    task: ShuffleTask,
    cards: Sequence[MaskedCard],
    outputs: Sequence[MaskedCard],
    factors: Sequence[int],
    u: Sequence[int],
    wanted: Sequence[int],
) -> tuple[bytes, bytes]:
    """Commit to a matrix that takes the weights to the wanted ones, and prove the rest honestly.

    Column j says how output j is put together: 1 at its own place where its weight is as it should
    be, else a and 1 - a at two places, so that each column adds up to one as those of a permutation do.
    """
    count = len(cards)
    _, hs = generators(count)
    r = [7 + index for index in range(count)]
    rows: list[dict[int, int]] = [{index: 1} for index in range(count)]
    for j in range(count):
        if wanted[j] == u[j]:
            continue
        other = next(i for i in range(count) if u[i] != u[j])
        share = (wanted[j] - u[other]) * pow(u[j] - u[other], -1, Q) % Q
        rows[j][j] = share
        rows[other][j] = (rows[other].get(j, 0) + 1 - share) % Q
    commitments = [
        add(base_mul(r[index]), linear_combination(list(row.values()), [hs[j] for j in row]))
        for index, row in enumerate(rows)
    ]
    encoded = encode_cards(outputs)
    statement = (
        task.joint.encoded,
        encode_cards(cards),
        encoded,
        b"".join(point.encoded for point in commitments),
    )
    r_tilde = sum(x * y for x, y in zip(r, u, strict=True))
    # Inputs are masked with 1.
    r_prime = sum(x * y for x, y in zip(factors, wanted, strict=True)) - sum(u)
    proof = prove_openings(
        task.context,
        (task.joint, statement),
        (outputs, commitments),
        (wanted, (sum(r), r_tilde, r_prime)),
        HedgedNonces(b"forger", task.context, statement[-1], seeded_entropy(b"forger")),
    )
    return encoded, proof.encoded()
