"""The whole terminal as one drawing: the table, an unbroken input line below it, and a toolbar.

Nothing is ever printed over it. What changes is drawn anew, cell by cell, and what is being typed
stays where it is, whatever happens.
"""

import asyncio
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import Final, Protocol

from prompt_toolkit.application import Application
from prompt_toolkit.buffer import Buffer
from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document
from prompt_toolkit.filters import Condition, has_focus
from prompt_toolkit.formatted_text import ANSI, FormattedText, StyleAndTextTuples, to_formatted_text
from prompt_toolkit.history import History, InMemoryHistory
from prompt_toolkit.input import Input
from prompt_toolkit.key_binding import (
    KeyBindings,
    KeyBindingsBase,
    KeyPressEvent,
    merge_key_bindings,
)
from prompt_toolkit.layout import (
    BufferControl,
    ConditionalContainer,
    Dimension,
    Float,
    FloatContainer,
    FormattedTextControl,
    HSplit,
    Layout,
    Window,
)
from prompt_toolkit.layout.menus import CompletionsMenu
from prompt_toolkit.layout.processors import BeforeInput, Processor
from prompt_toolkit.output import ColorDepth, Output
from prompt_toolkit.styles import Attrs, Style, StyleTransformation

from unop2p.repl.direction import Typed, drawn_line, visual
from unop2p.repl.panel import Size

REFRESH_S: Final = 0.5
"""How often it is drawn in any case: for the seconds that are left."""
TOGETHER_S: Final = 0.08
"""What happens within this time is drawn at once; what is typed never waits for it."""
MENU_ROWS: Final = 6
BELOW_ROWS: Final = 2
"""Of the input line and the toolbar."""
_STYLE: Final = Style.from_dict({"toolbar": "reverse", "prompt.mine": "bold"})
_RICH: Final = {
    "ansired": "ff6b6b",
    "ansiyellow": "e5c547",
    "ansigreen": "6bcb6b",
    "ansiblue": "6ba8ff",
    "ansimagenta": "d78fff",
}
"""What is read better than a terminal's own red, yellow, ..., where there are colors enough."""
_RICH_BACK: Final = {
    "ansired": "b3261e",
    "ansiyellow": "e5c547",
    "ansigreen": "4fae4f",
    "ansiblue": "1e56b3",
    "ansimagenta": "7a2fa8",
}


class Host(Protocol):
    """Whoever knows what is to be seen."""

    def above(self, size: Size) -> list[str]:
        """Return the lines above the input line."""
        ...

    def prompt(self) -> FormattedText:
        """Return what stands before what is typed."""
        ...

    def toolbar(self, columns: int) -> str:
        """Return the line below."""
        ...

    def entered(self, line: str) -> None:
        """Take a line."""
        ...

    def leaving(self) -> None:
        """Hear that the person wants to go."""
        ...

    def scroll(self, pages: int, size: Size) -> None:
        """Look so many pages further down in the story; up where it is negative."""
        ...


class MoreColors(StyleTransformation):
    """Takes better colors than the sixteen, where the terminal has more."""

    def __init__(self, depth: Callable[[], ColorDepth]) -> None:
        """Take what says how many colors there are."""
        self._depth = depth

    def transform_attrs(self, attrs: Attrs) -> Attrs:
        """Return a style in the colors that are drawn."""
        if self._depth() not in (ColorDepth.DEPTH_8_BIT, ColorDepth.DEPTH_24_BIT):
            return attrs
        color, back = attrs.color or "", attrs.bgcolor or ""
        if color in _RICH or back in _RICH_BACK:
            attrs = attrs._replace(
                color=_RICH.get(color, color), bgcolor=_RICH_BACK.get(back, back)
            )
        return attrs

    def invalidation_hash(self) -> ColorDepth:
        """Return what the answer depends on."""
        return self._depth()


class Asked(Completer):
    """Completes an empty line only when that is asked for: a menu opens by typing, or by Tab."""

    def __init__(self, completer: Completer, arrange: Callable[[str], str] = str) -> None:
        """Take what completes, and what makes its lines for the terminal."""
        self._completer, self._arrange = completer, arrange

    def get_completions(
        self, document: Document, complete_event: CompleteEvent
    ) -> Iterable[Completion]:
        """Return what can follow."""
        # A line that is sent while its completions are found leaves an empty one behind.
        if document.text or complete_event.completion_requested:
            for found in self._completer.get_completions(document, complete_event):
                if self._arrange is not str:
                    found = Completion(  # noqa: PLW2901  # the same, as it is shown
                        found.text,
                        found.start_position,
                        display=drawn_line(self._arrange(found.display_text)),
                        display_meta=drawn_line(self._arrange(found.display_meta_text)),
                    )
                yield found


@lru_cache(maxsize=2_048)
def fragments(line: str) -> tuple[tuple[str, str], ...]:
    """Return a line with color codes as the pieces that are drawn."""
    return tuple((piece[0], piece[1]) for piece in to_formatted_text(ANSI(line)))


class RichScreen:
    """The drawing, and the keys."""

    def __init__(
        self,
        host: Host,
        completer: Completer,
        *,
        depth: ColorDepth | None = None,
        terminal: tuple[Input, Output] | None = None,
        bindings: Sequence[KeyBindingsBase] = (),
        history: History | None = None,
        arrange: Callable[[str], str] = str,
    ) -> None:
        """Put it together; nothing is drawn before `run`.

        Args:
            host: what is to be seen, and who is told what is typed.
            completer: of the input line.
            depth: how many colors; None: as prompt_toolkit finds.
            terminal: input and output, where they are not the process's own.
            bindings: what further keys do.
            history: of what was typed.
            arrange: makes a line for the terminal out of a line as it is read.
        """
        self._host = host
        self._arrange = arrange
        self._asked = ""
        """A question that is to be answered before anything else."""
        self._answer: Callable[[str], None] = lambda _answer: None
        self._later: asyncio.TimerHandle | None = None
        self.buffer = Buffer(
            completer=Asked(completer, arrange),
            complete_while_typing=True,
            history=history or InMemoryHistory(),
            accept_handler=self._entered,
            multiline=False,
            name="line",
        )
        self._question = Buffer(accept_handler=self._answered, multiline=False, name="question")
        source, sink = terminal or (None, None)
        self.app: Application[None] = Application(
            layout=self._layout(),
            style=_STYLE,
            style_transformation=MoreColors(lambda: self.app.color_depth),
            key_bindings=merge_key_bindings([self._keys(), *bindings]),
            full_screen=True,
            refresh_interval=REFRESH_S,
            color_depth=depth,
            input=source,
            output=sink,
        )

    # -- what is drawn -------------------------------------------------------------------------

    def _layout(self) -> Layout:
        asked = Condition(lambda: bool(self._asked))
        line = Window(
            BufferControl(
                self.buffer,
                input_processors=[*self._typed_in_order(), BeforeInput(self._host.prompt)],
            ),
            height=1,
            dont_extend_height=True,
        )
        question = Window(
            BufferControl(
                self._question,
                input_processors=[
                    BeforeInput(lambda: drawn_line(self._arrange(self._asked)), "bold")
                ],
            ),
            height=1,
            dont_extend_height=True,
        )
        return Layout(
            FloatContainer(
                HSplit(
                    [
                        Window(
                            FormattedTextControl(self._above),
                            always_hide_cursor=True,
                            # It takes what is left: its text need not be measured for that.
                            width=Dimension(preferred=1),
                            height=Dimension(preferred=1),
                        ),
                        ConditionalContainer(line, ~asked),
                        ConditionalContainer(question, asked),
                        Window(
                            FormattedTextControl(self._below),
                            height=1,
                            style="class:toolbar",
                            dont_extend_height=True,
                        ),
                    ]
                ),
                [
                    Float(
                        CompletionsMenu(max_height=MENU_ROWS, scroll_offset=1),
                        xcursor=True,
                        ycursor=True,
                    )
                ],
            ),
            focused_element=line,
        )

    def _typed_in_order(self) -> list[Processor]:
        """Return what puts typed letters in order, where the terminal does not."""
        return [Typed()] if self._arrange is visual else []

    @property
    def size(self) -> Size:
        """The place above the input line."""
        size = self.app.output.get_size()
        return Size(columns=size.columns, rows=max(1, size.rows - BELOW_ROWS))

    def _above(self) -> StyleAndTextTuples:
        drawn: StyleAndTextTuples = []
        for line in self._host.above(self.size):
            drawn += fragments(drawn_line(self._arrange(line)))
            drawn.append(("", "\n"))
        return drawn[:-1]

    def _below(self) -> str:
        return drawn_line(self._arrange(self._host.toolbar(self.app.output.get_size().columns)))

    def changed(self) -> None:
        """Draw anew, soon: what changes in a moment is drawn with it."""
        if self._later is None:
            self._later = asyncio.get_running_loop().call_later(TOGETHER_S, self._draw)

    def _draw(self) -> None:
        self._later = None
        self.app.invalidate()

    # -- what is typed -------------------------------------------------------------------------

    def _entered(self, buffer: Buffer) -> bool:
        self._host.entered(buffer.text)
        # What was typed can be brought back at once, not only when the line is drawn again.
        asyncio.get_running_loop().call_soon(self.buffer.load_history_if_not_yet_loaded)
        return False  # the line is empty again

    def _answered(self, buffer: Buffer) -> bool:
        answer, self._asked = buffer.text, ""
        self.app.layout.focus(self.buffer)
        self._answer(answer)
        return False

    @property
    def asking(self) -> bool:
        """Whether a question is open."""
        return bool(self._asked)

    def ask(self, question: str, answered: Callable[[str], None]) -> None:
        """Put a question in place of the input line; what was typed there comes back after it.

        Args:
            question: one line.
            answered: gets the answer.
        """
        self._asked, self._answer = question, answered
        self._question.reset()
        self.app.layout.focus(self._question)

    def _keys(self) -> KeyBindings:
        keys = KeyBindings()

        @keys.add("c-c")
        @keys.add("<sigint>")
        def interrupt(_event: KeyPressEvent) -> None:
            self._host.leaving()

        @keys.add("c-d")
        def end(event: KeyPressEvent) -> None:
            if event.current_buffer.text:
                event.current_buffer.delete()
            else:
                self._host.leaving()

        @keys.add("pageup")
        def back(_event: KeyPressEvent) -> None:
            self._host.scroll(-1, self.size)

        @keys.add("pagedown")
        def on(_event: KeyPressEvent) -> None:
            self._host.scroll(1, self.size)

        @keys.add("c-l", filter=has_focus(self.buffer))
        def redraw(event: KeyPressEvent) -> None:
            event.app.renderer.clear()

        return keys

    # -- running -------------------------------------------------------------------------------

    async def run(self) -> None:
        """Draw, and take keys, until `leave`."""
        try:
            await self.app.run_async()
        finally:
            if self._later is not None:
                self._later.cancel()
                self._later = None

    def leave(self) -> None:
        """Give the terminal back as it was."""
        if self.app.is_running and self.app.future is not None and not self.app.future.done():
            self.app.exit()
