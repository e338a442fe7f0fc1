package omi.device

/** A public P-256 key as a JWK (RFC 7517). */
data class PublicJwk(val x: String, val y: String) {
    /** The key's name (RFC 7638): the hash of exactly this text. */
    val thumbprint: String get() = hashOf("""{"crv":"P-256","kty":"EC","x":"$x","y":"$y"}""")

    internal fun toClaim(): Map<String, Any?> = mapOf("kty" to "EC", "crv" to "P-256", "x" to x, "y" to y)
}

/** The device's key. Implement it over any key store; the private key need not be readable. */
interface DeviceKey {
    val publicKey: PublicJwk

    /** Signs by ES256. The result is r and s, 32 bytes each, not DER: see [signEs256]. */
    fun sign(data: ByteArray): ByteArray
}
