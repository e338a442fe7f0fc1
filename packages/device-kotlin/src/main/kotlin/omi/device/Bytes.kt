package omi.device

import java.security.MessageDigest
import java.util.Base64

/** RFC 4648, section 5, without padding. */
fun base64url(bytes: ByteArray): String = Base64.getUrlEncoder().withoutPadding().encodeToString(bytes)

internal fun sha256(text: String): ByteArray =
    MessageDigest.getInstance("SHA-256").digest(text.toByteArray(Charsets.UTF_8))

/** As the protocol names a text: the base64url SHA-256 of its UTF-8 bytes, never trimmed or normalized. */
internal fun hashOf(text: String): String = base64url(sha256(text))
