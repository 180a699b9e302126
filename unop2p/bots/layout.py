"""Where each feature of a move stands in the network's input.

Colors come in an order of their own: first the color in force after the move, then the others by how many
cards of the hand have them, most first. So the network need not learn the same for each color.
"""

from typing import Final

CARDS: Final = 0
"""4 x 13: cards of the hand after the move, by color and rank, halved."""
WILDS: Final = 52
"""4: Wild, Wild Draw Four, Shuffle Hands, blank, halved."""
COLORS: Final = 56
"""4: cards of a color, a quarter of them."""
VOIDS: Final = 60
"""4: whether there is none."""
HELD: Final = 64
"""8: the hand has 0, 1 ... 7 or more cards."""
HELD_COUNT: Final = 72
POINTS: Final = 73
"""What the hand counts, a hundredth."""
TOP: Final = 74
"""14: the rank on top, the last for a wild."""
FOLLOW: Final = 88
"""Colored cards of the hand that fit on it, a quarter."""
LINKS: Final = 89
"""Those of another color, halved."""
TYPE: Final = 90
"""13: what sort of move it is; `NUMBER` and so on below."""
BLUFF: Final = 103
"""A Wild Draw Four over a card of the color in force."""
AGAIN: Final = 104
"""The next turn is one's own."""
RIVALS: Final = 105
"""3 x 9: of the next three: there is one; cards; one, two, three cards; colors in which it has drawn."""
RIVAL_SIZE: Final = 9
LEAST: Final = 132
"""Cards of the smallest, of a mean hand of the others, of the one before; sevenths."""
MEAN: Final = 133
BEFORE: Final = 134
UNSEEN: Final = 135
"""4: cards of a color that one has not seen, a 25th."""
UNSEEN_WILDS: Final = 139
UNSEEN_LINKS: Final = 143
"""Unseen cards of the rank on top in other colors."""
PILE: Final = 144
STUCK: Final = 145
"""The chance that the next seat has nothing that fits, if its cards are any of the unseen."""
PRIOR: Final = 146
"""Attacked: the share of the color that was in force among the unseen cards."""
ACCUSED: Final = 147
ACCUSED_DRY: Final = 148
"""Attacked: the attacker has drawn in that color."""
GUILT: Final = 149
"""Attacked: the chance of a card of it in the attacker's hand, if it is any."""
TABLE: Final = 150
"""4: two, three, four seats; a tenth of the seats."""
SIZE: Final = 154

NUMBER: Final = 0
WILD: Final = 4
"""After numbers, Skip, Reverse, Draw Two: the four wilds."""
DRAW: Final = 8
KEEP: Final = 9
CHALLENGE: Final = 10
ACCEPT: Final = 11
NAME: Final = 12
TYPES: Final = 13
