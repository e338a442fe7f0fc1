package omi.device

/**
 * Why a call failed.
 *
 * @property code the service's problem code, or the device's own, such as `network` or `invalid-link`
 * @property status the HTTP status of the service's answer
 * @property serverTime with `clock-skew`: the service's time, in RFC 3339
 * @property retryAfter seconds after which the same call may succeed
 * @property detail what the service says about this case
 */
class DeviceException(
    val code: String,
    val status: Int? = null,
    val serverTime: String? = null,
    val retryAfter: Long? = null,
    val detail: String? = null,
    cause: Throwable? = null,
) : Exception(messages[code] ?: detail ?: "The service answered ${status ?: ""} $code.", cause)

/** What each code means for the user, and what to do next. */
private val messages = mapOf(
    // Found on the device.
    "invalid-link" to "This is not a complete enrolment link. Scan the QR code again, or copy the whole link.",
    "unsupported-link" to "The enrolment link needs a newer version of this app. Update the app.",
    "foreign-link" to "The enrolment link belongs to another service. Open it with the app of that service.",
    "invalid-key" to "This is not a P-256 key that makes signatures of 64 bytes by ES256 (r and s, not DER).",
    "network" to "The service did not answer. Check the connection and try again.",
    "unexpected-answer" to "The answer is not from the service, or this app is too old for it.",
    // Answers of the service.
    "invalid-request" to "The service rejected the request as invalid.",
    "invalid-signature" to "The service does not know this device or its key. If this continues, enrol again.",
    "clock-skew" to "The device's clock is wrong. Set the time, and try again.",
    "confirmation-required" to "A further device needs a confirmation. Start again on the website.",
    "recovery-required" to "The user has no device left to confirm with. The help desk of the website must help.",
    "enrolment-not-found" to "The enrolment code is wrong. Ask the website for a new QR code.",
    "enrolment-code-used" to "The enrolment code was already used. Ask the website for a new QR code.",
    "enrolment-code-expired" to "The enrolment code has expired. Ask the website for a new QR code.",
    "too-many-devices" to "The user has too many devices. Remove one on the website, then scan the QR code again.",
    "challenge-not-found" to "The challenge is not for this device. Fetch the challenges again.",
    "challenge-expired" to "The time to answer is over. Start again on the website.",
    "already-decided" to "The challenge was answered elsewhere or withdrawn.",
    "message-mismatch" to "The hash does not match the message that was shown. Nothing was confirmed.",
    "number-required" to "Type the number that the website shows.",
    "wrong-number" to "The number was wrong, and the confirmation has ended. Start again on the website.",
    "user-verification-required" to "Confirm with fingerprint, face or PIN. Without a passkey, enrol again.",
    "user-verification-failed" to "The check of fingerprint, face or PIN was not accepted. Try again.",
    "passkey-counter" to "The passkey of this device may be a copy. Enrol the device again.",
    "stale-request" to "The service has already accepted this message, or a newer one of this device.",
    "too-large" to "The request is too large.",
    "temporarily-unavailable" to "The service cannot answer now. Try again in a moment.",
)
