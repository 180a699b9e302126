"""Reads broker-config/Containerfile, and takes the steps of its first stage without a container."""

import json
import os
import shlex
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
CONTAINERFILE = ROOT / "broker-config" / "Containerfile"
PREFIX = "/opt/unop2p"
"""Where the image has the program."""


@dataclass(frozen=True, slots=True)
class Instruction:
    """One line of the file, with those that continue it."""

    name: str
    rest: str

    @property
    def words(self) -> list[str]:
        """What is said, word by word; a list in JSON form is one."""
        if self.rest.startswith("["):
            return [str(word) for word in json.loads(self.rest)]
        return shlex.split(self.rest)


def stages(text: str) -> list[list[Instruction]]:
    """Return the instructions of each stage; each begins with its FROM."""
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    found: list[list[Instruction]] = []
    for line in "\n".join(lines).replace("\\\n", " ").splitlines():
        if line.strip():
            name, _, rest = line.strip().partition(" ")
            if name == "FROM":
                found.append([])
            found[-1].append(Instruction(name, rest.strip()))
    return found


def build_by_hand(sources: Path, folder: Path, env: dict[str, str]) -> Path:
    """Do what the first stage says, below a folder instead of in an image; return the program.

    Args:
        sources: the top of a tree, from which is copied.
        folder: an empty one; it stands for the image's root.
        env: for what is run; `python` is looked for on its PATH.
    """
    place = folder
    prefix = folder / PREFIX.lstrip("/")
    for instruction in stages(CONTAINERFILE.read_text(encoding="utf-8"))[0]:
        words = instruction.words
        match instruction.name:
            case "WORKDIR":
                place = folder / words[0].lstrip("/")
                place.mkdir(parents=True)
            case "COPY":
                *names, target = words
                for name in names:
                    one = sources / name
                    if one.is_dir():  # its content, as the builders do
                        shutil.copytree(one, place / target, dirs_exist_ok=True)
                    else:
                        shutil.copy2(one, place / target)
            case "RUN":
                command = instruction.rest.replace(PREFIX, str(prefix))
                done = subprocess.run(
                    ["sh", "-c", command],
                    cwd=place,
                    env={**os.environ, **env},
                    capture_output=True,
                    text=True,
                    check=False,
                )
                if done.returncode:
                    raise RuntimeError(f"{command}\n{done.stdout}{done.stderr}")
            case _:
                pass
    return prefix / "bin" / "unop2p"
