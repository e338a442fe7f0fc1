package omi.device

/** What calls need besides the identity. */
class Connection(
    val key: DeviceKey,
    /** Where calls go, if not to the base URL. Signed messages name the base URL in any case. */
    val endpoint: String? = null,
    /** Until an answer is given up. */
    val patienceMs: Long = LONGEST_ANSWER_MS,
    /** The device's clock, in milliseconds since 1970. */
    val now: () -> Long = System::currentTimeMillis,
)

internal class Call(
    val method: String,
    val path: String,
    val message: Message,
    /** A JWS that is sent in place of a new one. */
    val jws: String? = null,
    /** The code that a repetition gets if the call before it did arrive. */
    val done: String? = null,
    /** Learns each JWS before it is sent. */
    val onSigned: (jws: String) -> Unit = {},
    /** Chooses `iat`, in milliseconds, from the service's time. */
    val issuedAt: (nowMs: Long) -> Long = { it },
)

/** Signs and sends calls, and keeps what the service says about its clock. */
internal class Caller(private val baseUrl: String, private val connection: Connection) {
    /** How far the service's clock is ahead. */
    @Volatile private var leadMs = 0L

    private val nowMs: Long get() = connection.now() + leadMs

    /**
     * Makes a call. The same JWS is sent again if its answer was lost. A message that was signed by a wrong clock is
     * signed once more, by the service's.
     *
     * @throws DeviceException
     */
    fun call(call: Call, identity: DeviceIdentity? = null): String =
        try {
            send(call, call.jws ?: sign(call, identity))
        } catch (error: DeviceException) {
            val serverMs = error.serverTime?.let(::millisecondsOf)
            if (error.code != "clock-skew" || serverMs == null) throw error
            leadMs += serverMs - nowMs
            send(call, sign(call, identity))
        }

    private fun sign(call: Call, identity: DeviceIdentity?): String {
        val publicKey = connection.key.publicKey
        val own = if (identity == null) mapOf("jwk" to publicKey.toClaim()) else mapOf("kid" to identity.deviceId)
        val common = commonClaims(baseUrl, publicKey.thumbprint, call.issuedAt(nowMs))
        val claims = common + identity?.let(::ownClaims).orEmpty() + call.message.claims
        return signCompact(mapOf("typ" to call.message.typ) + own, claims, connection.key).also(call.onSigned)
    }

    private fun send(call: Call, jws: String): String = withRetries { attempt ->
        try {
            send(requestOf(call, jws))
        } catch (error: DeviceException) {
            if (attempt == 1 || error.code != call.done) throw error
            ""
        }
    }

    /** The message is in the body, or in the header of a call without one. */
    private fun requestOf(call: Call, jws: String): Request {
        val hasBody = call.method == "POST" || call.method == "PUT"
        return Request(
            method = call.method,
            url = (connection.endpoint ?: baseUrl) + call.path,
            authorization = if (hasBody) null else "OMI-Device $jws",
            content = if (hasBody) Content("application/jose", jws) else null,
            patienceMs = connection.patienceMs,
        )
    }
}
