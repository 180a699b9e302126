import sys
from unop2p.sim.lab.run import *
from unop2p.sim.lab.matrix import *
from unop2p.sim.lab.registry import CHEATS
for arg in ("proved",):
  def told(c): print(c.argument, c.cheat.name, c.outcome, [ (r.tried_step,r.caught_step,r.blamed,r.reason[:100]) for r in c.reports], c.bare and (c.bare.outcome.value, c.bare.reason[:80]), flush=True)
  matrix([c for c in CHEATS.values() if c.family=='hidden'],[arg],Plan(peers=3,group='toy',read=False),told=told)
