"""Every game as a PettingZoo environment (AEC: the agents act in turn).

    >>> env = make("go5")
    >>> env.reset(seed=1)
    >>> observation, reward, terminated, truncated, info = env.last()
    >>> observation["observation"].shape, int(observation["action_mask"].sum())
    ((6, 5, 5), 26)

The agents are the seats, by their names in small letters. An action is the number of a move; the mask says
which may be played, or tried. An agent sees what its seat sees, encoded by the `PLANES` of
`rookery.encoders`. When the game is over each agent is rewarded with the value of its side: 1 won, 0 drawn,
-1 lost. A seat that can only miss its turn is not asked.
"""

from __future__ import annotations

from typing import Any

import numpy as np

try:
    from gymnasium import spaces
    from pettingzoo import AECEnv  # type: ignore[import-untyped]
    from pettingzoo.utils import wrappers  # type: ignore[import-untyped]
except ImportError as error:
    raise ImportError(
        "rookery.interfaces.pettingzoo needs PettingZoo: pip install 'rookery[pettingzoo]'"
    ) from error

from rookery import games
from rookery.api import State, View
from rookery.encoders.planes import planes_for

Observation = dict[str, Any]


def make(
    game: str, render_mode: str | None = None, position: str | None = None
) -> AECEnv[str, Observation, int]:
    """The environment of a game, with PettingZoo's checks around it.

    render_mode: `ansi` or nothing; position: where each episode starts, as text.

    Raises:
        UnknownName: there is no such game.
        BadPosition: there is no such position.
    """
    env: Any = Environment(game, render_mode, position)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(env))


class Environment(AECEnv):  # type: ignore[misc]
    """A game, its agents and its referee. An action that the mask forbids raises `IllegalMove`."""

    def __init__(self, game: str, render_mode: str | None = None, position: str | None = None) -> None:
        super().__init__()
        self._game = games.get(game)
        self._start = self._game.start(position)
        self._encoder = planes_for(self._game)
        spec = self._game.spec
        self.metadata = {
            "render_modes": ["ansi"],
            "name": f"{spec.name}_v{spec.version}",
            "is_parallelizable": False,
        }
        self.render_mode = render_mode
        self.possible_agents = [name.lower() for name in spec.seat_names]
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        seen = spaces.Box(0.0, 1.0, self._encoder.shape(self._game), np.float32)
        mask = spaces.Box(0, 1, (spec.policy_size,), np.int8)
        self.observation_spaces = {
            agent: spaces.Dict({"observation": seen, "action_mask": mask}) for agent in self.possible_agents
        }
        # Each agent has a space of its own, for each can be seeded.
        self.action_spaces = {agent: spaces.Discrete(spec.policy_size) for agent in self.possible_agents}

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        return self.action_spaces[agent]

    def view(self, agent: str) -> View:
        """All that the agent's seat knows, with every event it has heard; the observation tells less."""
        return self._state.view(self._seats[agent])

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin anew. No game draws lots, so the seed changes nothing."""
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._settle(self._start)

    def observe(self, agent: str) -> Observation:
        view = self.view(agent)
        mask = np.zeros(self._game.spec.policy_size, np.int8)
        mask[list(view.moves())] = 1
        return {"observation": self._encoder.encode(view), "action_mask": mask}

    def step(self, action: int | None) -> None:
        if self.terminations[self.agent_selection]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[self.agent_selection] = 0.0
        self._settle(self._state.play(int(action)))  # type: ignore[arg-type]
        self._accumulate_rewards()

    def _settle(self, state: State) -> None:
        """Take a state as it is, or as it is once those have missed their turn who must."""
        while (forced := state.forced()) is not None:
            state = state.play(forced)
        self._state = state
        self.agent_selection = self.possible_agents[state.seat]
        outcome = state.outcome()
        if outcome:
            side_of = self._game.spec.side_of
            self.rewards = {agent: outcome.values[side_of[self._seats[agent]]] for agent in self.agents}
            self.terminations = dict.fromkeys(self.agents, True)

    def render(self) -> str | None:
        """The board, as the referee sees it."""
        return self._state.picture() if self.render_mode == "ansi" else None

    def close(self) -> None:
        pass

    def __str__(self) -> str:
        return str(self.metadata["name"])
