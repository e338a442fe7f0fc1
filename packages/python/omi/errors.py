from __future__ import annotations

from typing import Any


class OmiError(Exception):
    """A call was refused, or got no answer. It never holds a secret, a token or a nonce.

    `code` is for programs: one of the service, or `network`, `timeout`, `unexpected-answer`, `token-refused`, `invalid-callback`,
    `invalid-id-token`, `invalid-options`. `retry_after` is in seconds, and `errors` names each fault of a request.
    """

    def __init__(
        self,
        code: str,
        detail: str = "",
        *,
        status: int | None = None,
        retry_after: int | None = None,
        errors: list[dict[str, str]] | None = None,
        trace_id: str | None = None,
    ) -> None:
        super().__init__(f"{code}: {detail}" if detail else code)
        self.code = code
        self.detail = detail
        self.status = status
        self.retry_after = retry_after
        self.errors = errors or []
        self.trace_id = trace_id

    @property
    def is_transient(self) -> bool:
        """Whether the answer was lost, or the service cannot answer now."""
        is_busy = self.status == 429 and self.code != "too-many-notifications"
        return self.code in ("network", "timeout") or is_busy or (self.status or 0) >= 500
