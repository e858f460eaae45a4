"""What was drawn, and what each draw adds: the evidence for every measure under every design.

A draw is whatever was sampled on its own: a row, or a cluster of them. What its rows add up to, for one measure, is a
part and a whole (`Ratio`), or how much the draw changes the estimate (`Influence`). Who summed what is forgotten here:
a method sees one of the two and fits by what was declared, never by the values.
"""

from holdfast.evidence.draws.draws import Draws as Draws
from holdfast.evidence.draws.influence import Influence as Influence
from holdfast.evidence.draws.influence import combined as combined
from holdfast.evidence.draws.ratio import Ratio as Ratio
