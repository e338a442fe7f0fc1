package omi.device

import java.io.IOException
import java.io.InputStream
import java.net.HttpURLConnection
import java.net.URI
import java.util.concurrent.ExecutionException
import java.util.concurrent.FutureTask
import java.util.concurrent.TimeUnit
import java.util.concurrent.TimeoutException
import kotlin.concurrent.thread

/** Far above every valid answer. */
private const val LARGEST_ANSWER_BYTES = 1024 * 1024

private const val CONNECT_MS = 10_000

internal class HttpAnswer(val status: Int, val text: String, val retryAfter: String?)

/**
 * Sends one request and reads the whole answer.
 *
 * A thread of its own makes the call: the time-outs of `java.net` begin again with each byte, so an answer that drips
 * would hold the caller for ever.
 *
 * @throws DeviceException `network` or `unexpected-answer`
 */
internal fun exchange(request: Request): HttpAnswer {
    val connection = URI(request.url).toURL().openConnection() as HttpURLConnection
    val call = FutureTask { answerOf(connection, request) }
    val worker = thread(isDaemon = true, name = "omi-device") { call.run() }
    try {
        return call.get(request.patienceMs, TimeUnit.MILLISECONDS)
    } catch (error: ExecutionException) {
        val cause = error.cause
        throw if (cause is IOException) DeviceException("network", cause = cause) else cause ?: error
    } catch (error: TimeoutException) {
        throw DeviceException("network", cause = error)
    } finally {
        worker.interrupt()
    }
}

private fun answerOf(connection: HttpURLConnection, request: Request): HttpAnswer {
    try {
        prepare(connection, request)
        request.content?.let { content ->
            connection.outputStream.use { it.write(content.text.toByteArray(Charsets.UTF_8)) }
        }
        val status = connection.responseCode
        val body = if (status < 400) connection.inputStream else connection.errorStream
        val bytes = body?.use(::readAll) ?: ByteArray(0)
        return HttpAnswer(status, String(bytes, Charsets.UTF_8), connection.getHeaderField("Retry-After"))
    } finally {
        // A kept connection may have died meanwhile, and `java.net` sends again by itself what it loses on one.
        connection.disconnect()
    }
}

private fun prepare(connection: HttpURLConnection, request: Request) {
    connection.requestMethod = request.method
    connection.connectTimeout = CONNECT_MS
    connection.readTimeout = request.patienceMs.toInt()
    connection.useCaches = false
    // The service never redirects. Another host must not get the message.
    connection.instanceFollowRedirects = false
    request.authorization?.let { connection.setRequestProperty("Authorization", it) }
    request.content?.let {
        connection.setRequestProperty("Content-Type", it.type)
        connection.doOutput = true
    }
}

/** The interrupt of a caller that has given up ends an answer that drips. */
private fun readAll(body: InputStream): ByteArray {
    var read = ByteArray(0)
    val chunk = ByteArray(16 * 1024)
    while (!Thread.currentThread().isInterrupted) {
        val size = body.read(chunk)
        if (size < 0) return read
        read += chunk.copyOf(size)
        if (read.size > LARGEST_ANSWER_BYTES) unexpected()
    }
    throw IOException("Nobody waits for this answer")
}
