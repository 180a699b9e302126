"""The table as a PettingZoo environment, for learning: `pip install 'unop2p[rl]'`.

Terry et al., PettingZoo: Gym for Multi-Agent Reinforcement Learning, NeurIPS 2021; its AEC API.
"""

from random import Random
from typing import Any, Final

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv  # pyright: ignore[reportMissingTypeStubs]

from unop2p.bots.observing import ACTIONS, VIEW_FEATURES, actions_of, view_numbers
from unop2p.ids import SEATS_MAX, SEATS_MIN, Seat
from unop2p.rules.dealt import DealtGame
from unop2p.rules.due import ReactionDue
from unop2p.rules.moves import Move
from unop2p.rules.options import Options, check_seats, preset

ACTIONS_MAX: Final = 5_000
"""After so many actions an episode is cut off: among players by chance a round may have no end."""


class UnoEnv(AECEnv[str, dict[str, Any], int | None]):
    """A table of 2 to 10 seats, by any rules."""

    metadata: dict[str, Any] = {  # noqa: RUF012  # as PettingZoo wants it
        "name": "unop2p_v1",
        "render_modes": ["ansi"],
        "is_parallelizable": False,
    }

    def __init__(
        self,
        seats: int = 2,
        rules: str | Options = "official",
        *,
        rounds: int | None = 1,
        render_mode: str | None = None,
    ) -> None:
        """Set a table up; `reset` deals.

        Args:
            seats: how many agents, 2 to 10: `seat_0` and so on.
            rules: a preset's name, or options.
            rounds: how many an episode has; None for a whole match.
            render_mode: `ansi` or None.

        Raises:
            InvalidOptionsError: no such rules, or not for so many seats.
        """
        super().__init__()
        assert SEATS_MIN <= seats <= SEATS_MAX, "UNO is for 2 to 10 seats"
        self.options = preset(rules) if isinstance(rules, str) else rules
        check_seats(self.options, seats)
        self.render_mode = render_mode
        self._rounds = rounds
        self._random = Random()  # noqa: S311  # a game to learn from
        self.possible_agents = [f"seat_{seat}" for seat in range(seats)]
        self._seat_of = {name: Seat(seat) for seat, name in enumerate(self.possible_agents)}
        self._observation_spaces = {name: _observations() for name in self.possible_agents}
        self._action_spaces = {name: spaces.Discrete(ACTIONS) for name in self.possible_agents}
        self._game: DealtGame | None = None
        self._asked: list[Seat] = []
        """Who is still to speak of those that are asked now."""
        self._said: list[tuple[Seat, Move]] = []
        self._choices: dict[int, Move | None] = {}
        self._count = 0
        self._totals: tuple[int, ...] = ()

    @property
    def game(self) -> DealtGame:
        """The table with all its cards: for tests and measurements, not for agents."""
        assert self._game is not None, "reset comes first"
        return self._game

    def observation_space(self, agent: str) -> "spaces.Space[Any]":
        """Return what an agent may see."""
        return self._observation_spaces[agent]

    def action_space(self, agent: str) -> "spaces.Space[Any]":
        """Return what an agent may do; the mask says what of it now."""
        return self._action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Deal a new match; the same seed deals the same."""
        del options
        if seed is not None:
            self._random = Random(seed)  # noqa: S311  # as above
        order = tuple(self._seat_of.values())
        dealer = order[self._random.randrange(len(order))]
        self._game = DealtGame.start(self.options, order, dealer, self._random)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {name: {} for name in self.agents}
        self._count, self._asked, self._said = 0, [], []
        self._totals = self.game.match.totals
        self._next()

    def observe(self, agent: str) -> dict[str, Any]:
        """Return the view of an agent, and which actions it has now: none if it is not asked."""
        view = self.game.view(self._seat_of[agent])
        mask = np.zeros(ACTIONS, dtype=np.int8)
        if agent == self.agent_selection and not self._done(agent):
            mask[list(self._choices)] = 1
        return {"observation": np.array(view_numbers(view), dtype=np.float32), "action_mask": mask}

    def _done(self, agent: str) -> bool:
        return self.terminations.get(agent, True) or self.truncations.get(agent, True)

    def step(self, action: int | None) -> None:
        """Do what the agent that is selected has chosen.

        Raises:
            ValueError: the mask does not allow it; nothing has changed.
        """
        agent = self.agent_selection
        if self._done(agent):
            self._was_dead_step(action)
            return
        if action is None or int(action) not in self._choices:
            message = f"action {action} is not in the mask of {agent}"
            raise ValueError(message)
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        self._count += 1
        move = self._choices[int(action)]
        if move is not None:
            self._said.append((self._seat_of[agent], move))
        self._asked.pop(0)
        self._next()
        self._accumulate_rewards()

    def _next(self) -> None:
        """Go on until somebody has a choice, or the episode is over."""
        while True:
            while self._asked:
                view = self.game.view(self._asked[0])
                legal = view.legal()
                if legal:
                    self._choices = actions_of(view, legal)
                    self.agent_selection = self.possible_agents[self._asked[0]]
                    if self._count >= ACTIONS_MAX:
                        self.truncations = dict.fromkeys(self.agents, True)
                    return
                self._asked.pop(0)
            if self._closed():
                return

    def _closed(self) -> bool:
        """Do what was said, and see who is asked next; return whether the episode is over."""
        game = self.game
        if not game.round.over and self._count:
            said, self._said = tuple(self._said), []
            if isinstance(game.round.due, ReactionDue):
                game.react(said)
            elif said:
                game.act(*said[0])
        if game.round.over:
            self._score()
            if game.match.over or game.match.rounds_played == self._rounds:
                self.terminations = dict.fromkeys(self.agents, True)
                self._choices = {}
                return True
            game.next_round()
        self._asked = list(game.asked)
        return False

    def _score(self) -> None:
        """Give each the points of the round minus the mean of the others'; points held count against."""
        totals = self.game.match.totals
        gains = [after - before for after, before in zip(totals, self._totals, strict=True)]
        self._totals = totals
        sign = -1 if self.options.scoring == "keep_own" else 1
        for name, seat in self._seat_of.items():
            others = (sum(gains) - gains[seat]) / (len(gains) - 1)
            self.rewards[name] += float(sign * (gains[seat] - others))

    def render(self) -> str | None:
        """Return the position in one line, in mode `ansi`."""
        return self.game.round.text() if self.render_mode == "ansi" else None

    def close(self) -> None:
        """Let the table go; there is nothing to end."""


def _observations() -> "spaces.Dict":
    return spaces.Dict(
        {
            "observation": spaces.Box(-np.inf, np.inf, (VIEW_FEATURES,), np.float32),
            "action_mask": spaces.Box(0, 1, (ACTIONS,), np.int8),
        }
    )
