package omi.device

/** Longer than the 30 s within which the service answers. */
internal const val LONGEST_ANSWER_MS = 35_000L

internal class Content(val type: String, val text: String)

internal class Request(
    val method: String,
    val url: String,
    val authorization: String? = null,
    val content: Content? = null,
    val patienceMs: Long = LONGEST_ANSWER_MS,
)

/**
 * Sends one request and returns the text of the answer.
 *
 * @throws DeviceException for every answer that is not a success
 */
internal fun send(request: Request): String {
    val answer = exchange(request)
    if (answer.status in 200..299) return answer.text
    throw failureOf(answer)
}

/** 429 and 5xx may also come from a proxy before the service, without a problem document (RFC 9457). */
private fun failureOf(answer: HttpAnswer): DeviceException {
    val problem = problemOf(answer.text)
    val mayPass = answer.status == 429 || answer.status >= 500
    val unknown = if (mayPass) "temporarily-unavailable" else "unexpected-answer"
    return DeviceException(
        code = problem["code"]?.takeIf(codeForm::matches) ?: unknown,
        status = answer.status,
        serverTime = problem["serverTime"]?.takeIf { millisecondsOf(it) != null },
        retryAfter = secondsOf(answer.retryAfter),
        detail = problem["detail"]?.take(LONGEST_DETAIL),
    )
}

private val codeForm = Regex("[a-z][a-z-]{0,63}")

private const val LONGEST_DETAIL = 500

private fun problemOf(text: String): Map<String, String> {
    val members = try {
        Json.parse(text) as? Map<*, *>
    } catch (_: JsonException) {
        null
    }
    return members.orEmpty().entries.mapNotNull { (name, value) -> (value as? String)?.let { "$name" to it } }.toMap()
}
