package omi.device

import android.content.Context
import android.content.pm.PackageManager
import android.security.keystore.KeyGenParameterSpec
import android.security.keystore.KeyProperties
import android.security.keystore.StrongBoxUnavailableException
import java.security.KeyPairGenerator
import java.security.KeyStore
import java.security.PrivateKey
import java.security.cert.Certificate
import java.security.interfaces.ECPublicKey
import java.security.spec.ECGenParameterSpec
import java.util.UUID

private const val PROVIDER = "AndroidKeyStore"

/**
 * A key in the Android Keystore: in StrongBox where the phone has it, otherwise in the trusted execution environment.
 *
 * @property alias its name in the Keystore, which the app keeps with the device's identity
 * @property certificates the attestation, from the key's own certificate to Google's root: it proves where the key is
 */
class AndroidKey private constructor(
    val alias: String,
    private val privateKey: PrivateKey,
    val certificates: List<Certificate>,
) : DeviceKey {
    override val publicKey: PublicJwk = publicJwkOf(certificates.first().publicKey as ECPublicKey)

    override fun sign(data: ByteArray): ByteArray = signEs256(privateKey, data)

    /** After the device was removed, or its enrolment has failed. */
    fun delete() = keyStore().deleteEntry(alias)

    companion object {
        /**
         * Makes a new key. Use one for each enrolment.
         *
         * @param attestationChallenge ties the attestation to this enrolment: take `registrationChallenge(link.code)`
         * @param asksUser whether each signature needs fingerprint, face or PIN. Then sign within the seconds after
         * `BiometricPrompt` has asked
         */
        fun generate(context: Context, attestationChallenge: ByteArray? = null, asksUser: Boolean = false): AndroidKey {
            val alias = "omi-device-" + UUID.randomUUID()
            val spec = specOf(alias, attestationChallenge, asksUser)
            val hasStrongBox = context.packageManager.hasSystemFeature(PackageManager.FEATURE_STRONGBOX_KEYSTORE)
            if (!hasStrongBox) return generate(alias, spec)
            return try {
                generate(alias, spec.setIsStrongBoxBacked(true))
            } catch (_: StrongBoxUnavailableException) {
                generate(alias, spec.setIsStrongBoxBacked(false))
            }
        }

        /** The key of an earlier start; null if the Keystore has none, for example after a restore from a backup. */
        fun load(alias: String): AndroidKey? {
            val store = keyStore()
            val privateKey = store.getKey(alias, null) as? PrivateKey ?: return null
            return AndroidKey(alias, privateKey, store.getCertificateChain(alias).toList())
        }

        private fun generate(alias: String, spec: KeyGenParameterSpec.Builder): AndroidKey {
            val generator = KeyPairGenerator.getInstance(KeyProperties.KEY_ALGORITHM_EC, PROVIDER)
            generator.initialize(spec.build())
            generator.generateKeyPair()
            return checkNotNull(load(alias))
        }

        private fun specOf(
            alias: String,
            attestationChallenge: ByteArray?,
            asksUser: Boolean,
        ): KeyGenParameterSpec.Builder {
            val spec = KeyGenParameterSpec.Builder(alias, KeyProperties.PURPOSE_SIGN)
                .setAlgorithmParameterSpec(ECGenParameterSpec("secp256r1"))
                .setDigests(KeyProperties.DIGEST_SHA256)
                .setUserAuthenticationRequired(asksUser)
                .setAttestationChallenge(attestationChallenge)
            return if (asksUser) spec.setUserAuthenticationValidityDurationSeconds(SECONDS_AFTER_PROMPT) else spec
        }

        private fun keyStore(): KeyStore = KeyStore.getInstance(PROVIDER).apply { load(null) }

        private const val SECONDS_AFTER_PROMPT = 30
    }
}
