package omi.device

import java.security.GeneralSecurityException
import java.security.KeyFactory
import java.security.KeyPair
import java.security.KeyPairGenerator
import java.security.Signature
import java.security.interfaces.ECPublicKey
import java.security.spec.ECGenParameterSpec
import java.security.spec.PKCS8EncodedKeySpec
import java.security.spec.X509EncodedKeySpec
import java.util.Base64

/** A key of `java.security`, which the app keeps. On Android prefer the Android Keystore, which keeps its key. */
class JvmKey(private val pair: KeyPair) : DeviceKey {
    override val publicKey = publicJwkOf(pair.public as? ECPublicKey ?: throw DeviceException("invalid-key"))

    override fun sign(data: ByteArray): ByteArray = signEs256(pair.private, data)

    /** The private key (PKCS#8) and the public key (X.509) in PEM. Whoever reads it can answer for the user. */
    fun toPem(): String = block("PRIVATE KEY", pair.private.encoded) + block("PUBLIC KEY", pair.public.encoded)

    companion object {
        /** Use a new key for each enrolment. */
        fun generate(): JvmKey {
            val generator = KeyPairGenerator.getInstance("EC")
            generator.initialize(ECGenParameterSpec("secp256r1"))
            return JvmKey(generator.generateKeyPair())
        }

        /**
         * The key of [toPem].
         *
         * @throws DeviceException `invalid-key`
         */
        fun fromPem(pem: String): JvmKey {
            try {
                val factory = KeyFactory.getInstance("EC")
                val privateKey = factory.generatePrivate(PKCS8EncodedKeySpec(contentOf(pem, "PRIVATE KEY")))
                val publicKey = factory.generatePublic(X509EncodedKeySpec(contentOf(pem, "PUBLIC KEY")))
                return JvmKey(KeyPair(publicKey, privateKey).also(::checkPair))
            } catch (error: GeneralSecurityException) {
                throw DeviceException("invalid-key", cause = error)
            } catch (error: IllegalArgumentException) {
                throw DeviceException("invalid-key", cause = error)
            }
        }
    }
}

/** A public key of another pair would only be noticed when the service refuses each message. */
private fun checkPair(pair: KeyPair) {
    val data = "A pair?".toByteArray()
    val verifier = Signature.getInstance("SHA256withECDSA")
    verifier.initVerify(pair.public)
    verifier.update(data)
    if (!verifier.verify(signDer(pair.private, data))) throw DeviceException("invalid-key")
}

private fun block(label: String, content: ByteArray): String {
    val lines = Base64.getMimeEncoder(64, "\n".toByteArray()).encodeToString(content)
    return "-----BEGIN $label-----\n$lines\n-----END $label-----\n"
}

private fun contentOf(pem: String, label: String): ByteArray {
    val lines = pem.substringAfter("-----BEGIN $label-----", "").substringBefore("-----END $label-----", "")
    return Base64.getDecoder().decode(lines.filterNot { it.isWhitespace() })
}
