package omi.device

import kotlin.random.Random

/** Milliseconds before each repetition. A person waits for most calls. */
private val pausesMs = listOf(300L, 1_000L, 2_500L)

/** The caller decides about a longer pause. */
private const val LONGEST_PAUSE_SECONDS = 10L

/** After this time no repetition begins, so that several lost answers do not add up. */
private const val LONGEST_CALL_MS = 45_000L

/** True if the answer was lost, or the service cannot answer now. */
internal fun isTransient(error: DeviceException): Boolean =
    error.code == "network" || error.status == 429 || (error.status ?: 0) >= 500

/** Repeats a call that may be repeated while its answers are lost. */
internal fun withRetries(call: (attempt: Int) -> String): String {
    val start = System.nanoTime()
    var attempt = 1
    while (true) {
        try {
            return call(attempt)
        } catch (error: DeviceException) {
            val pauseMs = pauseBefore(attempt, error)
            val elapsedMs = (System.nanoTime() - start) / 1_000_000
            if (!isTransient(error) || pauseMs == null || elapsedMs + pauseMs > LONGEST_CALL_MS) throw error
            Thread.sleep(pauseMs)
        }
        attempt += 1
    }
}

/** Null if there should be no repetition. Chance keeps apart callers that failed together. */
private fun pauseBefore(repetition: Int, error: DeviceException): Long? {
    val pauseMs = pausesMs.getOrNull(repetition - 1) ?: return null
    val wantedSeconds = error.retryAfter ?: 0
    if (wantedSeconds > LONGEST_PAUSE_SECONDS) return null
    return (maxOf(wantedSeconds * 1000, pauseMs) * (1 + Random.nextDouble() / 4)).toLong()
}
