package omi.device

import java.util.concurrent.ConcurrentHashMap

/** How many changes of its address in one second a device gets through. */
private const val MOST_ADDRESSES_A_SECOND = 5

/**
 * An enrolled device. Keep its [identity] and its key; they make the same device again.
 *
 * Calls block until an answer or an interrupt, so make them on a thread that may wait, never on Android's main thread.
 * They repeat themselves after a lost answer, and throw [DeviceException] with a `code`.
 */
class Device(val identity: DeviceIdentity, connection: Connection) {
    private val caller = Caller(identity.baseUrl, connection)

    /** `iat` of the newest push token, in milliseconds: the service takes only newer ones. */
    private var addressSentAtMs = 0L

    private val unanswered = ConcurrentHashMap<String, Unanswered>()

    /** An answer that was signed, and to which no reply has arrived. */
    private class Unanswered(val intent: Intent, val jws: String)

    /** What the last [challenges] said of pushes. False: none arrives until [refreshPushToken] has sent another token. */
    @Volatile
    var pushArrives: Boolean = true
        private set

    /** The challenges that wait for an answer of this device. */
    fun challenges(): List<Challenge> =
        try {
            fetchChallenges()
        } catch (error: DeviceException) {
            // This message has arrived already and its answer was lost, or a newer one has overtaken it.
            if (error.code != "stale-request") throw error
            fetchChallenges()
        }

    private fun fetchChallenges(): List<Challenge> {
        val message = requestMessage("GET", identity.baseUrl + Paths.CHALLENGES)
        val answer = parseMembers(caller.call(Call("GET", Paths.CHALLENGES, message), identity))
        pushArrives = readPushArrives(answer)
        return readChallenges(answer)
    }

    /**
     * Signs and sends the user's answer. If its reply was lost, the same answer again sends the same message.
     *
     * @return the status, such as `confirmed` or `denied`
     * @throws DeviceException for example `number-required`, `challenge-expired` or `already-decided`;
     * `message-mismatch` without a call if a hash does not match what was shown
     */
    fun answer(challenge: Challenge, answer: Answer): String {
        checkHashes(challenge)
        val challengeId = challenge.challengeId
        val intent = intentOf(challenge, answer)
        val call = Call(
            method = "POST",
            path = Paths.response(challengeId),
            message = answerMessage(challenge, answer),
            jws = unanswered[challengeId]?.takeIf { it.intent == intent }?.jws,
            onSigned = { unanswered[challengeId] = Unanswered(intent, it) },
        )
        try {
            val status = readStatus(parseMembers(caller.call(call, identity)))
            unanswered.remove(challengeId)
            return status
        } catch (error: DeviceException) {
            if (!isTransient(error)) unanswered.remove(challengeId)
            throw error
        }
    }

    /** Registers where pushes reach the device from now on. */
    @Synchronized
    fun refreshPushToken(address: PushAddress) {
        for (attempt in 1..MOST_ADDRESSES_A_SECOND) {
            try {
                return sendAddress(address)
            } catch (error: DeviceException) {
                // Of this second, as `iat` has no fractions; or this very message, whose answer was lost.
                if (error.code != "stale-request" || attempt == MOST_ADDRESSES_A_SECOND) throw error
            }
        }
    }

    private fun sendAddress(address: PushAddress) {
        var sentAtMs = 0L
        val call = Call(
            method = "PUT",
            path = Paths.PUSH_TOKEN,
            message = pushTokenMessage(address),
            issuedAt = { nowMs -> maxOf(nowMs, addressSentAtMs + 1000).also { sentAtMs = it } },
        )
        try {
            caller.call(call, identity)
            addressSentAtMs = sentAtMs
        } catch (error: DeviceException) {
            if (error.code == "stale-request") addressSentAtMs = sentAtMs
            throw error
        }
    }

    /**
     * Changes what the user calls this device, where websites and apps list it.
     *
     * @throws DeviceException for example `invalid-request`, if the name has more than 64 characters or hidden ones
     */
    fun rename(name: String) {
        caller.call(Call("PUT", Paths.NAME, nameMessage(name)), identity)
    }

    /**
     * Removes the device. Delete its key afterwards.
     *
     * @param verify asks the passkey, if the device has one, with this WebAuthn challenge
     * @throws DeviceException for example `user-verification-required`, if the tenant wants it: then only the website
     * removes a device without a passkey. After `invalid-signature` delete the key, too: the service does not know the
     * device, perhaps because `java.net` has sent the message twice over a broken connection
     */
    fun unregister(verify: (challenge: ByteArray) -> UserVerification? = { null }) {
        val jti = newId()
        val verification = verify(removalChallenge(identity.deviceId, jti))
        val more = mapOf("jti" to jti, "userVerification" to verification?.let(::verificationClaim))
        val message = requestMessage("DELETE", identity.baseUrl + Paths.DEVICE, more)
        caller.call(Call("DELETE", Paths.DEVICE, message, done = "invalid-signature"), identity)
    }

    companion object {
        /**
         * Enrols a new device. Use a new key for each enrolment.
         *
         * @throws DeviceException for example `enrolment-code-expired`, `enrolment-code-used` or `too-many-devices`
         */
        fun enrol(link: EnrolmentLink, description: DeviceDescription, connection: Connection): Device {
            val call = Call("POST", Paths.ENROLMENTS, enrolmentMessage(link.code, description))
            val answer = Caller(link.baseUrl, connection).call(call)
            return Device(readEnrolled(parseMembers(answer), link.baseUrl), connection)
        }
    }
}
