"""What keys do beside the usual: calls on one key, and a menu of moves under the arrow keys."""

from collections.abc import Awaitable, Callable

from prompt_toolkit.application.current import get_app
from prompt_toolkit.buffer import CompletionState
from prompt_toolkit.completion import CompleteEvent
from prompt_toolkit.filters import Condition
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.keys import Keys

from unop2p.repl.calls import KEYS, Call


@Condition
def nothing_typed() -> bool:
    """Say whether the line is empty, and no menu is open."""
    buffer = get_app().current_buffer
    return not buffer.text and buffer.complete_state is None


def key_bindings(call: Callable[[Call], Awaitable[None]]) -> KeyBindings:
    """Return the bindings.

    Args:
        call: does what a key calls; what is typed stays as it is.
    """
    bindings = KeyBindings()

    @bindings.add(Keys.Vt100MouseEvent)
    def ignore(_event: KeyPressEvent) -> None:
        # Pasted color codes (ESC [ 3 1 m) read like reports of a mouse, and the usual handler
        # breaks on them. No mouse is asked for here.
        del _event

    @bindings.add(Keys.BracketedPaste)
    def paste(event: KeyPressEvent) -> None:
        # The line is one row high: with a break in it only the last row would be seen, without the
        # prompt, and what clears a line would clear that row alone.
        event.current_buffer.insert_text(" ".join(event.data.splitlines()))

    @bindings.add("down", filter=nothing_typed)
    def menu(event: KeyPressEvent) -> None:
        # An arrow on an empty line opens the moves; there is no line of the history below it.
        # Made here, and not in the background: what is typed next already moves in it.
        buffer = event.current_buffer
        wanted = CompleteEvent(completion_requested=True)
        offered = list(buffer.completer.get_completions(buffer.document, wanted))
        if offered:
            buffer.complete_state = CompletionState(buffer.document, offered)
            buffer.go_to_completion(0)

    for wanted, (function_key, letter) in KEYS.items():
        _bind(bindings, wanted, function_key.lower(), call)
        _bind(bindings, wanted, letter.lower(), call)
    return bindings


def _bind(
    bindings: KeyBindings, wanted: Call, key: str, call: Callable[[Call], Awaitable[None]]
) -> None:
    def act(event: KeyPressEvent) -> None:
        async def calling() -> None:
            await call(wanted)

        event.app.create_background_task(calling())

    # Alt with a letter comes as Escape and the letter.
    keys = ("escape", key.removeprefix("alt-")) if key.startswith("alt-") else (key,)
    bindings.add(*keys)(act)
