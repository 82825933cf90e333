"""The paper's printed figures, for comparison with ours.

Wells & Ting, A new simple and efficient density estimator that enables fast systematic search,
Pattern Recognition Letters 122 (2019). Its machine had 16 cores at 2.3 GHz; its programs were in
Java. Attributes count from 0.
"""

from __future__ import annotations

MINERS = ("OAMiner", "KDEBeam", "SGBeam", "GBeam")
"""In the order of the paper, which calls the last three Beam, sGBeam and GBeam."""

SECONDS = {
    10: (35, 986, 1.3, 1.2),
    20: (1_187, 10_242, 11, 9),
    30: (16_625, 26_230, 39, 24),
    40: (102_457, 52_490, 75, 46),
    50: (451_727, 90_075, 143, 79),
}
"""Runtimes of the synthetic sets, by attributes."""

MATCHES = {
    10: ((13, 1.5), (19, 19), (19, 19), (19, 14)),
    20: ((22, 1), (24, 10), (20, 10), (25, 10)),
    30: ((37, 3), (42.5, 38.5), (41.5, 35.5), (43.5, 19.5)),
    40: ((44, 4), (47.5, 32.5), (39, 31), (49, 24)),
    50: ((52, 4), (57.5, 49.5), (55.5, 48.5), (61.5, 29.5)),
}
"""Matches and exact matches in the top ten of the synthetic sets, by attributes."""

EXAMPLES = {
    220: ("{4} {2} {3}", "{2,3,4,5}", "{2,3,4,5}", "{6,7,8,9} {3,4,5}"),
    315: ("{6} {4} {3} {7} {0,1}", "{0,1} {6,7}", "{0,1} {6,7}", "{0,1} {6,7}"),
    323: ("{6} {2,8,9}", "{8,9}", "{8,9}", "{8,9}"),
    577: ("{0} {4}", "{6,7} {2,3,4,5}", "{2,3,4,5}", "{3,4,5}"),
    723: ("{0} {3} {9}", "{2,3,4,5}", "{2,3,4,5}", "{2,4}"),
}
"""Subspaces found for five rows of the 10-D set."""

TRUTH = {
    220: "{2,3,4,5}",
    315: "{0,1} {6,7}",
    323: "{8,9}",
    577: "{2,3,4,5}",
    723: "{2,3,4,5}",
}
"""The true subspaces of these rows."""

NBA = {
    0: ("{3} {2} {19}", "{1,3} {3} {1,19}"),
    1: ("{19} {1,19} {6}", "{1,19} {19} {6}"),
    157: ("{1,2} {11}* {2,3}", "{1,3,19} {1,2,3} {1,19}*"),
}
"""The top three of Beam and sGBeam for three players; * is not in the other's top ten."""

SHUTTLE = {
    24147: ("{0,7} {0,4} {0,4,8}", "{0,4} {0,8} {0,7}"),
    35414: ("{0,7} {0,4} {0,4,8}", "{0,4} {0,7} {0,8}"),
    37048: ("{0,7} {0,4} {0,4,8}", "{0,4} {0,7} {0,8}"),
}
"""Likewise for three rows of shuttle."""

REAL_SECONDS = {
    "NBA": ("5", "116", "1.25", "1.16"),
    "U2R": ("out of memory", "> 12 days", "4,212", "4,170"),
    "ALOI": ("out of memory", "> 12 days", "52,828", "47,810"),
    "Har": ("out of memory", "> 12 days", "5,410", "4,725"),
}
"""Runtimes of ten queries on real tables, up to five attributes."""
