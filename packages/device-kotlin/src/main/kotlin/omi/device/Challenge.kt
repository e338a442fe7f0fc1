package omi.device

/**
 * A confirmation that waits for this device's answer.
 *
 * @property tenant the registered name of the website's tenant
 * @property account the label that the website gave the user's account. Without one, show [tenant] alone
 * @property message show it in full, as plain text
 * @property messageHash base64url SHA-256 of the message's UTF-8 bytes
 * @property context who asks, for what and from where, as JSON text: show what [readContext] reads from it
 * @property contextHash base64url SHA-256 of the text of [context]
 * @property createdAt when it was asked, in RFC 3339
 * @property expiresInMs what was left when the service answered; does not depend on the device's clock
 * @property matchNumbers three numbers, one of which the website shows
 * @property typedNumber whether the website shows a number of 6 digits, which the user types
 * @property details rich authorization details (RFC 9396) as JSON text: show every member
 * @property detailsHash base64url SHA-256 of the text of [details]
 * @property votes of a vote, where the tenant lets members see the others. It is not signed
 * @property returnTo the page of the website that the user came from: offer it after the answer. It is not signed
 */
data class Challenge(
    val challengeId: String,
    val tenant: String,
    val account: String?,
    val message: String,
    val messageHash: String,
    val context: String,
    val contextHash: String,
    val createdAt: String,
    val expiresAt: String,
    val expiresInMs: Long,
    val matchNumbers: List<String>? = null,
    val typedNumber: Boolean = false,
    val details: String? = null,
    val detailsHash: String? = null,
    val votes: Votes? = null,
    val returnTo: String? = null,
)

/**
 * How a group stands.
 *
 * @property confirmed how many have confirmed
 * @property confirmedBy the labels of those who have one
 */
data class Votes(val confirmed: Int, val confirmedBy: List<String>)

/**
 * What a challenge's `context` says. Show all of it, and nothing that it does not say.
 *
 * @property requester the registered names of who asks
 * @property purpose what the confirmation will allow: `add-device` or `remove-device`. Show another one as it is
 * @property device the device that the confirmation removes
 * @property userVerification whether a confirmation carries a passkey's assertion: fingerprint, face or PIN
 * @property requestedFrom where the request to the website came from, as the website says
 * @property group the answer is a vote: how many of how many people must confirm
 */
data class ChallengeContext(
    val userVerification: UserVerificationMode,
    val requester: Requester? = null,
    val purpose: String? = null,
    val device: Subject? = null,
    val requestedFrom: Origin? = null,
    val group: Group? = null,
) {
    data class Requester(val tenant: String, val client: String?)

    data class Subject(val deviceId: String, val name: String)

    data class Origin(val browser: String?, val place: String?, val ip: String?)

    data class Group(val id: String, val required: Int, val of: Int)
}

enum class UserVerificationMode { OFF, PREFERRED, REQUIRED }
