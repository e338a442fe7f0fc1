package android.security.keystore

import java.security.ProviderException
import java.security.spec.AlgorithmParameterSpec

object KeyProperties {
    const val KEY_ALGORITHM_EC = "EC"
    const val DIGEST_SHA256 = "SHA-256"
    const val PURPOSE_SIGN = 4
}

class StrongBoxUnavailableException : ProviderException()

class KeyGenParameterSpec private constructor() : AlgorithmParameterSpec {
    @Suppress("UNUSED_PARAMETER")
    class Builder(alias: String, purposes: Int) {
        fun setAlgorithmParameterSpec(spec: AlgorithmParameterSpec): Builder = this

        fun setDigests(vararg digests: String): Builder = this

        fun setIsStrongBoxBacked(isStrongBoxBacked: Boolean): Builder = this

        fun setUserAuthenticationRequired(required: Boolean): Builder = this

        fun setUserAuthenticationValidityDurationSeconds(seconds: Int): Builder = this

        fun setAttestationChallenge(challenge: ByteArray?): Builder = this

        fun build() = KeyGenParameterSpec()
    }
}
