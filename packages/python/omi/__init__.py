"""A website's side of OMI: ask a user to confirm, and check the answer. And a tenant's: read events, and find what is missing."""

from omi.callbacks import verify_callback
from omi.client import Omi, new_nonce
from omi.errors import OmiError
from omi.evidence import EvidenceError, audit, verify_evidence
from omi.groups import audit_group, verify_group
from omi.id_token import verify_id_token
from omi.ledger import Exports, reconcile
from omi.log import LogError, event_texts, open_checkpoint, verify_inclusion, verify_restored
from omi.page import Denied, Session
from omi.routes import Consumed, Routes
from omi.store import MemoryStore, Store

__all__ = [
    "Consumed",
    "Denied",
    "EvidenceError",
    "Exports",
    "LogError",
    "MemoryStore",
    "Omi",
    "OmiError",
    "Routes",
    "Session",
    "Store",
    "audit",
    "audit_group",
    "event_texts",
    "new_nonce",
    "open_checkpoint",
    "reconcile",
    "verify_callback",
    "verify_evidence",
    "verify_group",
    "verify_id_token",
    "verify_inclusion",
    "verify_restored",
]
