package omi.device

import java.time.DateTimeException
import java.time.Duration
import java.time.Instant
import java.time.ZonedDateTime
import java.time.format.DateTimeFormatter

/** Milliseconds since 1970 of a time in RFC 3339; null if it is not one. */
internal fun millisecondsOf(time: String): Long? =
    try {
        Instant.parse(time).toEpochMilli()
    } catch (_: DateTimeException) {
        null
    } catch (_: ArithmeticException) {
        null
    }

private val wholeSeconds = Regex("[0-9]{1,9}")

/** `Retry-After`: seconds, or a date (RFC 9110, section 10.2.3). */
internal fun secondsOf(retryAfter: String?): Long? = when {
    retryAfter == null -> null
    wholeSeconds.matches(retryAfter) -> retryAfter.toLong()
    else -> secondsUntil(retryAfter)
}

private fun secondsUntil(date: String): Long? =
    try {
        val until = ZonedDateTime.parse(date, DateTimeFormatter.RFC_1123_DATE_TIME).toInstant()
        (Duration.between(Instant.now(), until).toMillis() + 999).div(1000).coerceAtLeast(0)
    } catch (_: DateTimeException) {
        null
    }
