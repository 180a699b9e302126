"""The fuzzer itself: `make fuzz`, or `python -m tests.fuzz.run SECONDS [FOLDER]`.

libFuzzer chooses the bytes and sees which lines of the rooms that read them are run (atheris); half of
the changes are made to the JSON as such, since few byte flips leave a canonical message. What it finds
worth keeping goes into FOLDER; an input that fails is written there as `crash-...`, and shown.
"""

import random
import sys
from pathlib import Path

import atheris

with atheris.instrument_imports(
    include=["unop2p.wire", "unop2p.log", "unop2p.table", "unop2p.peer"],
):
    from tests.fuzz.target import kept, mutated, run_one, seeds

BYTES_MAX = 16_384


def change(data: bytes, max_size: int, seed: int) -> bytes:
    """Change an input: as bytes, or as the JSON that it holds."""
    rng = random.Random(seed)
    changed = atheris.Mutate(data, max_size) if rng.random() < 0.5 else mutated(data, rng)
    return bytes(changed[:max_size])


def main() -> None:
    seconds = int(sys.argv[1]) if len(sys.argv) > 1 else 1800
    folder = Path(sys.argv[2] if len(sys.argv) > 2 else "fuzz-found")
    folder.mkdir(parents=True, exist_ok=True)
    for index, seed in enumerate([*seeds(), *kept()]):
        (folder / f"seed-{index}").write_bytes(seed)
    words = [
        sys.argv[0],
        str(folder),
        f"-max_total_time={seconds}",
        f"-max_len={BYTES_MAX}",
        "-rss_limit_mb=2048",
        "-timeout=60",
        f"-artifact_prefix={folder}/",
        "-print_final_stats=1",
    ]
    atheris.Setup(words, run_one, custom_mutator=change)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
