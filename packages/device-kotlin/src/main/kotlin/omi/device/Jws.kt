package omi.device

/** Two numbers of 32 bytes (RFC 7518, section 3.4). */
private const val SIGNATURE_BYTES = 64

/** Makes a compact JWS (RFC 7515) with ES256. */
internal fun signCompact(header: Map<String, Any?>, claims: Map<String, Any?>, key: DeviceKey): String {
    val input = "${encode(mapOf("alg" to "ES256") + header)}.${encode(claims)}"
    val signature = key.sign(input.toByteArray(Charsets.US_ASCII))
    if (signature.size != SIGNATURE_BYTES) throw DeviceException("invalid-key")
    return "$input.${base64url(signature)}"
}

private fun encode(part: Map<String, Any?>): String = base64url(Json.write(part).toByteArray(Charsets.UTF_8))
