"""The settings file: which settings there are, where the file is, and what is wrong in it.

A setting is an option of some commands. What is given on the command line counts first, then the
environment (`UNOP2P_` and the key in capitals), then the settings file (TOML), then the default.
"""

import re
import tomllib
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Final

from unop2p.edge.errors import EXIT_USAGE, FolderError
from unop2p.edge.paths import is_there, settings_path
from unop2p.errors import EdgeError
from unop2p.rules.toml_text import TomlNumberError, TomlTextError, read_toml
from unop2p.words import LANGUAGES, Bidi, Said, mark, said

FILE_BYTES_MAX: Final = 64 * 1024
"""All settings with long comments take 5 KB."""

SITTING: Final = ("play", "host", "join")
OPENING: Final = ("play", "host", "match")
CONNECTING: Final = ("host", "join", "bot", "watch", "match", "tables", "broker check")


class SettingsError(EdgeError):
    """The settings file is wrong: `unop2p config edit` opens it."""

    exit_code = EXIT_USAGE


class Kind(StrEnum):
    """What a setting's value is, in the words that an error uses."""

    TEXT = mark("a text in quotes")
    WORDS = mark("a text in quotes, or a list of them")
    FLAG = mark("true or false")
    WHOLE = mark("a whole number")
    NUMBER = mark("a number")


Value = str | bool | int | float | list[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """One setting."""

    key: str
    kind: Kind
    default: Value | None
    """As the option has it; None where it is worked out."""
    commands: tuple[str, ...]
    """Which take it; none: it is the program's own, before any command."""
    meaning: str
    least: int | None = None
    most: int | None = None
    choices: tuple[str, ...] = ()

    @property
    def variable(self) -> str:
        """The environment variable."""
        return f"UNOP2P_{self.key.upper()}"

    @property
    def option(self) -> str:
        """The option of the command line."""
        name = self.key.replace("_", "-")
        return f"--{name}/--no-{name}" if self.kind is Kind.FLAG else f"--{name}"

    @property
    def parameter(self) -> str:
        """What the option is called inside the program."""
        return "set_" if self.key == "set" else self.key

    def wanted(self) -> Said:
        """Return what a value has to be.

        >>> setting("bots").wanted()
        'a whole number, 1 to 9'
        """
        if self.choices:
            return said("one of {choices}", choices=", ".join(self.choices))
        kind = said(self.kind.value)
        if self.least is not None:
            return said("{kind}, {least} to {most}", kind=kind, least=self.least, most=self.most)
        return kind

    def is_right(self, value: object) -> bool:
        """Say whether a value can be this setting's."""
        match self.kind:
            case Kind.TEXT:
                return isinstance(value, str) and (not self.choices or value in self.choices)
            case Kind.WORDS:
                words = value if isinstance(value, list) else [value]
                return all(isinstance(word, str) for word in words)
            case Kind.FLAG:
                return isinstance(value, bool)
            case Kind.WHOLE | Kind.NUMBER:
                known = int if self.kind is Kind.WHOLE else int | float
                if not isinstance(value, known) or isinstance(value, bool):
                    return False
                return self.least is None or self.least <= value <= (self.most or value)


def _text(key: str, default: str | None, commands: tuple[str, ...], meaning: str) -> Setting:
    return Setting(key=key, kind=Kind.TEXT, default=default, commands=commands, meaning=meaning)


def _flag(key: str, commands: tuple[str, ...], meaning: str, *, default: bool = False) -> Setting:
    return Setting(key=key, kind=Kind.FLAG, default=default, commands=commands, meaning=meaning)


SETTINGS: Final[tuple[Setting, ...]] = (
    Setting(
        key="lang",
        kind=Kind.TEXT,
        default=None,
        commands=(),
        meaning="The language; left out: the locale's.",
        choices=tuple(LANGUAGES),
    ),
    Setting(
        key="bidi",
        kind=Kind.TEXT,
        default="auto",
        commands=(),
        meaning="Who puts right-to-left letters in order; auto: the terminal, if it is known to.",
        choices=tuple(Bidi),
    ),
    _text("name", None, SITTING, "How tables call you; left out: the login's name."),
    _text(
        "profile",
        "default",
        (*SITTING, "id", "stats", "replay"),
        "Which of your keys you play with.",
    ),
    _text("rules", "official", OPENING, "A preset, such as greek, or a rule file."),
    Setting(
        key="set",
        kind=Kind.WORDS,
        default=[],
        commands=OPENING,
        meaning="Rules changed one by one, as option=value.",
    ),
    Setting(
        key="to",
        kind=Kind.WHOLE,
        default=None,
        commands=OPENING,
        meaning="Points that end the match; left out: what the rules say.",
        least=1,
        most=5000,
    ),
    _text("deal", "proved", OPENING, "How cards are shuffled: proved, commit-reveal or a class."),
    Setting(
        key="bots",
        kind=Kind.WHOLE,
        default=3,
        commands=("play",),
        meaning="How many bots sit with you.",
        least=1,
        most=9,
    ),
    Setting(
        key="seats",
        kind=Kind.WHOLE,
        default=2,
        commands=("host",),
        meaning="Seats in all, yours among them.",
        least=2,
        most=10,
    ),
    _text(
        "level",
        "greedy",
        ("play", "bot", "match"),
        "Of the bots: random, greedy, linear, search or net; or a bot of your own.",
    ),
    _flag("fast", ("play",), "Bots do not pretend to think: `pace` is fast, if it is not set."),
    _text(
        "pace",
        None,
        ("play", "host", "bot", "match"),
        "How long bots seem to think: human, fast or milliseconds; left out: human, in match fast.",
    ),
    _flag(
        "hints",
        ("play", "host"),
        "Whether `hint` tells what a bot would play, to all at the table.",
        default=True,
    ),
    Setting(
        key="turn_time",
        kind=Kind.NUMBER,
        default=60.0,
        commands=("play", "host"),
        meaning="Seconds for a turn.",
        least=1,
        most=86_400,
    ),
    Setting(
        key="patience",
        kind=Kind.NUMBER,
        default=20.0,
        commands=("host",),
        meaning="Seconds that a silent seat is waited for; then the others go on without it.",
        least=1,
        most=3_600,
    ),
    Setting(
        key="resilience",
        kind=Kind.WHOLE,
        default=None,
        commands=OPENING,
        meaning="For how many absent seats the others can stand in; left out: 1 from four seats up.",
        least=0,
        most=4,
    ),
    Setting(
        key="allow_bots",
        kind=Kind.TEXT,
        default="any",
        commands=("host",),
        meaning="Which bots may sit down: any, one of each owner, or none.",
        choices=("any", "one-each", "none"),
    ),
    Setting(
        key="broker",
        kind=Kind.WORDS,
        default=[],
        commands=("host",),
        meaning="Where you open tables; left out: a broker of our own.",
    ),
    Setting(
        key="embedded",
        kind=Kind.TEXT,
        default="auto",
        commands=("play", "host", "match", "broker"),
        meaning="Our own broker.",
        choices=("auto", "mosquitto", "iotcore", "amqtt"),
    ),
    _text("ca_file", None, CONNECTING, "Whom to trust, PEM; left out: whom the system trusts."),
    _text("cert", None, CONNECTING, "Our certificate, PEM."),
    _text("key", None, CONNECTING, "The certificate's key, PEM."),
    _text("password_file", None, CONNECTING, "Its first line is the broker's password."),
    _flag("mqtt5", CONNECTING, "Speak MQTT 5 instead of 3.1.1."),
    _flag("ready", ("host", "join"), "Begin as soon as all are here.", default=True),
    _flag("plain", (*SITTING, "replay"), "Only append lines: for pipes and screen readers."),
    Setting(
        key="colors",
        kind=Kind.TEXT,
        default="auto",
        commands=SITTING,
        meaning="How many colors; auto: as the terminal has them, and none under NO_COLOR.",
        choices=("auto", "never", "16", "256", "true"),
    ),
    Setting(
        key="signs",
        kind=Kind.TEXT,
        default="auto",
        commands=SITTING,
        meaning="What is drawn with; auto: as the terminal has them.",
        choices=("auto", "ascii", "unicode"),
    ),
    _flag("bell", SITTING, "Ring the terminal's bell when it is your turn.", default=True),
    _flag("title", SITTING, "Say in the window's title that it is your turn.", default=True),
    _flag("history", SITTING, "Keep what you typed for the next time.", default=True),
)
"""Every setting, in the order in which they are shown."""


def setting(key: str) -> Setting:
    """Return a setting by its key, which there is."""
    return next(known for known in SETTINGS if known.key == key)


def read_settings(path: Path) -> dict[str, Value]:
    """Return what a settings file sets; nothing where there is none.

    Raises:
        SettingsError: it is no TOML, or has an unknown key or a wrong value: which, and in which line.
        FolderError: it cannot be read.
    """
    try:
        with path.open("rb") as file:
            data = file.read(FILE_BYTES_MAX + 1)  # a device may never end
    except FileNotFoundError:
        return {}
    except OSError as error:
        message = said("{path}: {strerror}.", path=path, strerror=error.strerror or error)
        raise FolderError(message) from error
    if len(data) > FILE_BYTES_MAX:
        message = said(
            "{path} is too long: at most {file_bytes_max} bytes are read.",
            path=path,
            file_bytes_max=FILE_BYTES_MAX,
        )
        raise SettingsError(message)
    return _checked(path, _parsed(path, data), data)


def peek(key: str) -> Value | None:
    """Return what the settings file sets, before anything is said of what is wrong in it."""
    path = settings_path()
    try:
        return read_settings(path).get(key) if is_there(path) else None
    except (SettingsError, FolderError, OSError):
        return None  # the command that needs it says why


def _parsed(path: Path, data: bytes) -> dict[str, object]:
    try:
        return read_toml(data.decode())
    except UnicodeDecodeError as error:
        message = said("{path} is no text in UTF-8.", path=path)
        raise SettingsError(message) from error
    except TomlNumberError as error:
        message = said("In {path}: {error}", path=path, error=error.args[0])
        raise SettingsError(message) from error
    except TomlTextError as error:
        where = re.search(r"at line (\d+)", str(error))
        line = where[1] if where else str(data.rstrip().count(b"\n") + 1)
        message = said(
            '{path}, line {line}: it is no TOML, such as `bots = 3` or `rules = "greek"`.',
            path=path,
            line=line,
        )
        raise SettingsError(message) from error


def _checked(path: Path, found: dict[str, object], data: bytes) -> dict[str, Value]:
    settings: dict[str, Value] = {}
    for key, value in found.items():
        known = next((known for known in SETTINGS if known.key == key), None)
        if known is None or not known.is_right(value):
            wrong = _unknown(key) if known is None else _not_right(known)
            line = line_of(key, data)
            message = said("{path}, line {line}: {wrong}", path=path, line=line, wrong=wrong)
            raise SettingsError(message)
        if known.kind is Kind.WORDS and isinstance(value, str):
            value = [value]  # noqa: PLW2901  # the same, in the one form
        assert isinstance(value, str | bool | int | float | list)
        settings[key] = value
    return settings


def _not_right(known: Setting) -> Said:
    return said("`{key}` is {wanted}.", key=known.key, wanted=known.wanted())


def _unknown(key: str) -> Said:
    import difflib  # noqa: PLC0415  # only to say what is wrong

    shown = "".join(char if char.isprintable() else "?" for char in key[:40])
    near = difflib.get_close_matches(key, [known.key for known in SETTINGS], n=1)
    if near:
        return said("there is no setting `{key}`; `{near}` is one.", key=shown, near=near[0])
    return said("there is no setting `{key}`; `unop2p config show` lists them.", key=shown)


def line_of(key: str, data: bytes) -> int:
    r"""Return the line in which a key of a whole TOML text is set, counted from 1.

    The shortest beginning of the text that has the key ends with its value; what follows the
    shortest but one begins with it.

    >>> line_of("b", b"a = 1\nb = [\n 2]\n")
    2
    """
    lines = data.decode().splitlines(keepends=True)
    whole = 0
    for count in range(1, len(lines) + 1):
        try:
            found = tomllib.loads("".join(lines[:count]))
        except tomllib.TOMLDecodeError:
            continue
        if key in found:
            break
        whole = count
    for text in lines[whole:]:
        if text.strip() and not text.lstrip().startswith("#"):
            break
        whole += 1
    return whole + 1


def template() -> str:
    """Return a settings file that sets nothing, and says what can be set."""
    lines = [
        "# Settings of unop2p. Take away a '#' to set something; the values shown are the defaults.",
        "# An option of the command line counts before the environment, and that before this file.",
    ]
    for known in SETTINGS:
        lines += ["", f"# {known.meaning} (`{known.option}`, {known.variable})"]
        lines.append(f"# {known.key} = {toml_text(known.default)}")
    return "\n".join(lines) + "\n"


def toml_text(value: Value | None) -> str:
    """Return a value as it is written in the file.

    >>> toml_text(["a", "b"]), toml_text(True), toml_text(None)
    ('["a", "b"]', 'true', '""')
    """
    match value:
        case None:
            return '""'
        case bool():
            return str(value).lower()
        case str():
            escaped = value.replace("\\", "\\\\").replace('"', '\\"')
            return f'"{escaped}"'
        case list():
            return f"[{', '.join(toml_text(item) for item in value)}]"
        case _:
            return str(value)
