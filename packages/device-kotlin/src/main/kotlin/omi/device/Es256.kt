package omi.device

import java.math.BigInteger
import java.security.AlgorithmParameters
import java.security.PrivateKey
import java.security.Signature
import java.security.interfaces.ECPublicKey
import java.security.spec.ECGenParameterSpec
import java.security.spec.ECParameterSpec

private const val NUMBER_BYTES = 32

/** A P-256 key of any provider of `java.security`, Android Keystore included, as a JWK. */
fun publicJwkOf(key: ECPublicKey): PublicJwk {
    if (key.params.curve != p256.curve) throw DeviceException("invalid-key")
    return PublicJwk(base64url(fixedLength(key.w.affineX)), base64url(fixedLength(key.w.affineY)))
}

/** ES256 with a key of any provider of `java.security`. They sign in DER; a JWS has r and s. */
fun signEs256(key: PrivateKey, data: ByteArray): ByteArray = derToRaw(signDer(key, data))

internal fun signDer(key: PrivateKey, data: ByteArray): ByteArray {
    val signature = Signature.getInstance("SHA256withECDSA")
    signature.initSign(key)
    signature.update(data)
    return signature.sign()
}

internal val p256: ECParameterSpec by lazy {
    val parameters = AlgorithmParameters.getInstance("EC")
    parameters.init(ECGenParameterSpec("secp256r1"))
    parameters.getParameterSpec(ECParameterSpec::class.java)
}

/** From `SEQUENCE { INTEGER r, INTEGER s }` to r and s with 32 bytes each (RFC 7518, section 3.4). */
internal fun derToRaw(der: ByteArray): ByteArray {
    // Both numbers have at most 33 bytes, so each length has one byte.
    if (der.size < 2 || der[0].toInt() != 0x30 || der[1].toInt() != der.size - 2) throw DeviceException("invalid-key")
    val (r, end) = integerAt(der, 2)
    val (s, last) = integerAt(der, end)
    if (last != der.size) throw DeviceException("invalid-key")
    return fixedLength(r) + fixedLength(s)
}

private fun integerAt(der: ByteArray, at: Int): Pair<BigInteger, Int> {
    val length = der.getOrNull(at + 1)?.toInt() ?: 0
    val end = at + 2 + length
    if (der.getOrNull(at)?.toInt() != 0x02 || length < 1 || end > der.size) throw DeviceException("invalid-key")
    return BigInteger(der.copyOfRange(at + 2, end)) to end
}

/** `BigInteger.toByteArray` gives one byte more for its sign, or fewer for a small number. */
private fun fixedLength(number: BigInteger): ByteArray {
    if (number.signum() < 0 || number.bitLength() > NUMBER_BYTES * 8) throw DeviceException("invalid-key")
    val bytes = number.toByteArray().takeLast(NUMBER_BYTES).toByteArray()
    return ByteArray(NUMBER_BYTES - bytes.size) + bytes
}
