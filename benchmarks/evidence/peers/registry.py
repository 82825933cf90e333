"""The peers by name."""

from __future__ import annotations

from .acme_peer import AcME
from .adengine import ADEngine
from .base import Peer
from .lime_peer import LIME
from .ours import GBeamPeer, KDEBeamPeer, SGBeamPeer, SiNNEPeer, ZScorePeer
from .outliertree_peer import DeepOutlierTree, OutlierTree, TunedOutlierTree
from .shap_peers import KernelSHAP, TreeSHAP
from .shapiq_peer import Shapiq
from .tails import COPODPeer, ECODPeer

_KINDS: tuple[type[Peer], ...] = (
    SGBeamPeer,
    ZScorePeer,
    GBeamPeer,
    KDEBeamPeer,
    SiNNEPeer,
    OutlierTree,
    DeepOutlierTree,
    TunedOutlierTree,
    AcME,
    Shapiq,
    KernelSHAP,
    LIME,
    TreeSHAP,
    ECODPeer,
    COPODPeer,
    ADEngine,
)

PEERS: dict[str, Peer] = {kind.name: kind() for kind in _KINDS}
"""In the order of the tables: peers that name sets, then peers that weigh columns."""
