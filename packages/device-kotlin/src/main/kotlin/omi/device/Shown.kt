package omi.device

/** The signature must bind what the user saw, not what a hash beside it says. */
internal fun checkHashes(challenge: Challenge) {
    val isShown = hashOf(challenge.message) == challenge.messageHash &&
        hashOf(challenge.context) == challenge.contextHash &&
        challenge.details?.let(::hashOf) == challenge.detailsHash
    if (!isShown) throw DeviceException("message-mismatch")
}

/** What the user decided about what; a new assertion of the passkey does not change it. */
internal data class Intent(val hashes: List<String?>, val answer: Answer)

internal fun intentOf(challenge: Challenge, answer: Answer): Intent {
    val hashes = listOf(challenge.messageHash, challenge.contextHash, challenge.detailsHash)
    val decided = if (answer is Answer.Confirm) answer.copy(userVerification = null) else answer
    return Intent(hashes, decided)
}
