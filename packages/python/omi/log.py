"""The service's log of accepted events: proves offline that it has an event exactly as it arrived."""

from __future__ import annotations

import base64
import binascii
import hashlib
import json
import re
import urllib.parse
from typing import Any, Iterable, NamedTuple

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from omi.evidence import EvidenceError, Json, from_base64url

FAULTS = {
    "malformed-event": "the text is not an event",
    "malformed-checkpoint": "the text is not a checkpoint",
    "malformed-proof": "the proof is not one of the service",
    "other-log": "the checkpoint is of another service, tenant or category",
    "wrong-signature": "no key of the service for logs signed the checkpoint",
    "wrong-root": "the log of this checkpoint does not have this event with this content, or this checkpoint",
}
KEY_ID = 4  # bytes of the SHA-256 of a key's SubjectPublicKeyInfo
# https://c2sp.org/tlog-checkpoint, in a signed note
CHECKPOINT = re.compile(
    r"(?P<body>(?P<origin>[^\n]+)\n(?P<size>0|[1-9][0-9]{0,15})\n(?P<root>[A-Za-z0-9+/]{43}=)\n)\n"
    r"(?P<signatures>(?:— [^ \n]+ [A-Za-z0-9+/=]+\n)+)"
)
BEGIN = re.compile(r'\s*\{\s*"events"\s*:\s*\[\s*')
BETWEEN = re.compile(r"\s*([,\]])\s*")
DECODER = json.JSONDecoder()
GENERATION = re.compile(r"/(?:[2-9]|[1-9][0-9]{1,4})$")  # at the end of the name of a log that a restore has begun


class LogError(Exception):
    """`code` names what is wrong."""

    def __init__(self, code: str) -> None:
        super().__init__(FAULTS[code])
        self.code = code


class Checkpoint(NamedTuple):
    """The state of a log, whose signature was verified."""

    origin: str
    size: int
    root: bytes


def event_texts(data: str | bytes) -> list[str]:
    """The events of a record or of a line, as they were delivered.

    Never serialise an event again: the log has hashes of its bytes.
    """
    text = data.decode() if isinstance(data, bytes) else data
    begin = BEGIN.match(text)
    if begin is None:
        raise LogError("malformed-event")
    texts: list[str] = []
    place = begin.end()
    try:
        while text[place] != "]" or texts:
            _, end = DECODER.raw_decode(text, place)
            texts.append(text[place:end])
            after = BETWEEN.match(text, end)
            if after is None:
                raise LogError("malformed-event")
            if after[1] == "]":
                break
            place = after.end()
    except (IndexError, ValueError, RecursionError):
        raise LogError("malformed-event") from None
    return texts


def verify_inclusion(
    event_text: str | bytes,
    proof: Json,
    checkpoint: str,
    *,
    keys: Json,
    base_url: str,
    former_base_urls: Iterable[str] = (),
) -> Checkpoint:
    """Verifies offline that the service accepted exactly this event: the log of the signed checkpoint has it.

    The checkpoint must be of the event's own tenant and category.

    :param event_text: as it was delivered, by `event_texts`
    :param proof: the answer of `GET …/log/proofs/inclusion` for the size of the checkpoint
    :param keys: the answer of `GET /.well-known/omi-keys`
    :raises LogError: with what is wrong as its `code`
    """
    data = event_text.encode() if isinstance(event_text, str) else event_text
    event_id, name = _named(data)
    state = open_checkpoint(checkpoint, keys)
    names = [f"{_host(url)}/{name}" for url in (base_url, *former_base_urls)]
    if not any(_is_of(state.origin, one) for one in names):
        raise LogError("other-log")
    try:
        minute = proof["minute"]
        leaf = _leaf(f"{event_id}\n{hashlib.sha256(data).hexdigest()}")
        root = _root_by(leaf, minute["leafIndex"], minute["count"], _hashes(proof["minutePath"]))
        batch = None if root is None else _leaf(f"{minute['minute']}\n{minute['count']}\n{root.hex()}")
        top = batch and _root_by(batch, proof["leafIndex"], proof["treeSize"], _hashes(proof["path"]))
        size = proof["treeSize"]
    except (KeyError, TypeError, ValueError):
        raise LogError("malformed-proof") from None
    if size != state.size or top != state.root:
        raise LogError("wrong-root")
    return state


def verify_restored(before: str, after: str, path: Iterable[str], *, keys: Json) -> Checkpoint:
    """Verifies offline that a log which a restore has begun goes on from this last checkpoint of the log before.

    :param before: the answer of `GET …/log/checkpoint?generation=` for the log before
    :param after: a checkpoint of the log after
    :param path: the answer of `GET …/log/proofs/consistency?from=1&to=` for its size
    :raises LogError: with what is wrong as its `code`
    """
    earlier, later = open_checkpoint(before, keys), open_checkpoint(after, keys)
    name = GENERATION.sub("", earlier.origin)
    if earlier.origin == later.origin or not _is_of(later.origin, name):
        raise LogError("other-log")
    try:
        root = _root_by(_leaf(before), 0, later.size, _hashes(path))
    except (TypeError, ValueError):
        raise LogError("malformed-proof") from None
    if root != later.root:
        raise LogError("wrong-root")
    return earlier


def open_checkpoint(text: str, keys: Json) -> Checkpoint:
    """Verifies the signature of a checkpoint. Compare its origin yourself: `<host>/<tenant>/<category>`."""
    found = CHECKPOINT.fullmatch(text)
    if found is None:
        raise LogError("malformed-checkpoint")
    origin, body = found["origin"], found["body"].encode()
    lines = found["signatures"].rstrip("\n").split("\n")
    known = [key for key in keys["keys"] if key.get("for") == "log"]
    if not any(_is_signed(body, line, origin, key) for line in lines for key in known):
        raise LogError("wrong-signature")
    return Checkpoint(origin, int(found["size"]), base64.b64decode(found["root"]))


def _named(data: bytes) -> tuple[str, str]:
    """The id of an event, and the name of its log."""
    try:
        metadata = json.loads(data)["metadata"]
        return metadata["eventId"], f"{metadata['tenantId']}/{metadata['category']}"
    except (KeyError, TypeError, ValueError, RecursionError):
        raise LogError("malformed-event") from None


def _host(url: str) -> str:
    """As browsers write it: without the port that the scheme has anyway."""
    parts = urllib.parse.urlsplit(url)
    usual = {"https": 443, "http": 80}.get(parts.scheme)
    return (parts.hostname or "") if parts.port in (None, usual) else f"{parts.hostname}:{parts.port}"


def _is_of(origin: str, name: str) -> bool:
    own, name = origin.lower(), name.lower()
    return own == name or (own.startswith(name) and GENERATION.fullmatch(own[len(name) :]) is not None)


def _is_signed(body: bytes, line: str, origin: str, jwk: Json) -> bool:
    _, name, text = line.split(" ")
    try:
        data = base64.b64decode(text, validate=True)
        x, y = (int.from_bytes(from_base64url(jwk.get(part), "malformed"), "big") for part in ("x", "y"))
        key = ec.EllipticCurvePublicNumbers(x, y, ec.SECP256R1()).public_key()
    except (EvidenceError, ValueError, binascii.Error):
        return False
    spki = key.public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
    if name != origin or data[:KEY_ID] != hashlib.sha256(spki).digest()[:KEY_ID]:
        return False
    try:
        key.verify(data[KEY_ID:], body, ec.ECDSA(SHA256()))
        return True
    except InvalidSignature:
        return False


# Hashes of RFC 6962, section 2.1: a byte before the input tells leaves from nodes.


def _leaf(text: str) -> bytes:
    return hashlib.sha256(b"\0" + text.encode()).digest()


def _node(left: bytes, right: bytes) -> bytes:
    return hashlib.sha256(b"\1" + left + right).digest()


def _hashes(path: Any) -> list[bytes]:
    hashes = [base64.b64decode(one, validate=True) for one in path]
    if any(len(one) != 32 for one in hashes):
        raise ValueError("A hash has 32 bytes.")
    return hashes


def _root_by(leaf: bytes, index: int, size: int, path: list[bytes]) -> bytes | None:
    """The root to which an inclusion proof leads (RFC 9162, section 2.1.3.2), or None if it does not fit."""
    if not 0 <= index < size:
        return None
    place, last, node = index, size - 1, leaf
    for beside in path:
        if last == 0:
            return None
        if place % 2 == 1 or place == last:
            node = _node(beside, node)
            while place % 2 == 0 and place != 0:
                place, last = place // 2, last // 2
        else:
            node = _node(node, beside)
        place, last = place // 2, last // 2
    return node if last == 0 else None
