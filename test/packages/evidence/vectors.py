"""Prints which check of the published vectors fails, by their names."""

import json
import sys

from omi.evidence import UNKNOWN, EvidenceError, verify_evidence


def code_of(file, vector):
    asked, options, kept = vector["asked"], vector.get("options", {}), vector["confirmation"]
    try:
        verify_evidence(
            kept,
            keys=vector.get("keys", file["keys"]),
            base_url=file["baseUrl"],
            former_base_urls=options.get("formerBaseUrls", ()),
            test_users=options.get("testUsers", False),
            known_keys=options.get("knownKeys"),
            nonce=asked["nonce"],
            user_id=file["userId"],
            message=asked["message"],
            details=asked.get("details"),
            purpose=asked.get("purpose", UNKNOWN),
            requested_from=asked.get("requestedFrom", UNKNOWN),
            subject_device_id=asked.get("subjectDeviceId"),
        )
        return None
    except EvidenceError as error:
        return error.code


with open("packages/device/vectors/evidence.json", encoding="utf-8") as source:
    FILE = json.load(source)
json.dump({vector["name"]: code_of(FILE, vector) for vector in FILE["vectors"]}, sys.stdout)
