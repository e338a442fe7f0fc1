package omi.device

/** What the user decided. */
sealed interface Answer {
    /** @property number what the website shows, with number matching */
    data class Confirm(val number: String? = null, val userVerification: UserVerification? = null) : Answer

    data class Deny(val reason: DenyReason? = null) : Answer
}

/** Offer both: "no" and "this was not me". */
enum class DenyReason { USER_DECLINED, NOT_ME }

/** A passkey's assertion (WebAuthn), each member in base64url. */
data class UserVerification(
    val id: String,
    val authenticatorData: String,
    val clientDataJSON: String,
    val signature: String,
)

/** The WebAuthn challenge of the assertion that goes with a confirmation: it binds what was shown, and the decision. */
fun assertionChallenge(challenge: Challenge): ByteArray {
    val hashes = listOf(challenge.messageHash, challenge.contextHash)
    return assertionChallenge(challenge.challengeId, hashes, "confirm", challenge.detailsHash)
}

internal fun assertionChallenge(id: String, hashes: List<String>, decision: String, detailsHash: String?): ByteArray =
    sha256((listOf(id) + hashes + decision + listOfNotNull(detailsHash)).joinToString("."))

/** The WebAuthn challenge of the creation of the passkey that enrols with this code. */
fun registrationChallenge(code: String): ByteArray = sha256(code)

/** The WebAuthn challenge of the assertion with which a device removes itself, by the message with this `jti`. */
internal fun removalChallenge(deviceId: String, jti: String): ByteArray = sha256("unregister.$deviceId.$jti")
