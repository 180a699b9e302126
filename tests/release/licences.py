"""Writes docs/reference/licences.md from what is installed: `make licences`."""

import importlib.metadata
import re
import sys
from pathlib import Path

from packaging.requirements import Requirement

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "reference" / "licences.md"
HEAD = """# Licences

unop2p itself is under the MIT licence (the file LICENSE). What it runs on is installed beside it by pip, pipx or uv
and not contained in it. `make licences` writes this page from what each package says of itself; the versions
are those of `requirements/lock.txt` and `requirements/dev.txt`.

None of these licences asks anything of who plays. Who hands on a bundle with these packages inside, as a container
image is one, hands on their licence texts too: each package brings its own, in its folder `*.dist-info`.
python-bidi is under the LGPL: it stays a package of its own, which can be exchanged. Some wheels carry a library of
another licence inside, above all rbcl (libsodium, ISC) and cryptography (OpenSSL, Apache-2.0).
"""
CLASSIFIERS = {
    "BSD License": "BSD",
    "GNU Library or Lesser General Public License (LGPL)": "LGPL",
    "ISC License (ISCL)": "ISC",
    "MIT License": "MIT",
    "Apache Software License": "Apache-2.0",
}
"""What packages without an SPDX expression say, in the shorter word."""
_SPDX = re.compile(r"[A-Za-z0-9.+() -]{1,60}")


def same(name: str) -> str:
    """Return a package's name as registries compare it."""
    return re.sub(r"[-_.]+", "-", name).lower()


def pins(*files: str) -> dict[str, tuple[str, str]]:
    """Return each locked package, by its compared name: its name and version."""
    found = {}
    for file in files:
        for line in (ROOT / "requirements" / file).read_text(encoding="utf-8").splitlines():
            if not line.startswith("#") and "==" in line:
                name, _, version = line.partition(";")[0].strip().partition("==")
                found[same(name)] = (name, version)
    return found


def licence_of(name: str) -> str:
    """Return what an installed package says its licence is.

    Raises:
        PackageNotFoundError: it isn't installed.
        ValueError: it says nothing.
    """
    metadata = importlib.metadata.metadata(name)

    def first(field: str) -> str:
        return str(next(iter(metadata.get_all(field) or ()), "")).strip()

    if first("License-Expression"):
        return first("License-Expression")
    plain = first("License")
    if _SPDX.fullmatch(plain):
        return plain.removesuffix(" License")
    lines = [str(line) for line in metadata.get_all("Classifier") or ()]
    words = [line.rpartition(" :: ")[2] for line in lines if line.startswith("License :: ")]
    if not words:
        message = f"{name} says nothing of its licence"
        raise ValueError(message)
    return ", ".join(CLASSIFIERS.get(word, word) for word in words)


def extras() -> dict[str, list[str]]:
    """Return what can be installed beside: by compared name, with which extras."""
    locked = pins("lock.txt")
    found: dict[str, list[str]] = {}
    for extra in importlib.metadata.metadata("unop2p").get_all("Provides-Extra") or ():
        waiting = [("unop2p", str(extra))]
        while waiting:
            name, wanted = waiting.pop()
            for text in importlib.metadata.requires(name) or ():
                need = Requirement(text)
                for_all = need.marker is None or need.marker.evaluate({"extra": ""})
                asked = need.marker is not None and need.marker.evaluate({"extra": wanted})
                if not (for_all or asked) or same(need.name) in locked:
                    continue
                if str(extra) in found.setdefault(same(need.name), []):
                    continue
                found[same(need.name)].append(str(extra))
                waiting += [(need.name, each) for each in ("", *need.extras)]
    return {name: sorted(found[name]) for name in sorted(found)}


def page() -> str:
    """Return the page as it is to be."""
    lines = [
        HEAD,
        "## What is always there",
        "",
        "| package | version | licence |",
        "|---|---|---|",
    ]
    for name, version in pins("lock.txt").values():
        lines.append(f"| {name} | {version} | {licence_of(name)} |")
    lines += ["", "## What an extra brings", ""]
    lines += ["| package | version | licence | for |", "|---|---|---|---|"]
    known = pins("dev.txt")
    for key, wanted in extras().items():
        name, version = known[key]
        marks = " ".join(f"`unop2p[{extra}]`" for extra in wanted)
        lines.append(f"| {name} | {version} | {licence_of(name)} | {marks} |")
    return "\n".join(lines) + "\n"


def main() -> int:
    """Write the page."""
    PAGE.write_text(page(), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
