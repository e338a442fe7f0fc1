package omi.device

import java.net.URI
import java.net.URISyntaxException
import java.net.URLDecoder

private const val LONGEST_LINK = 4096
private const val LONGEST_CODE = 512

/** Where to enrol, and the code that names user and tenant there. */
data class EnrolmentLink(val baseUrl: String, val code: String) {
    // A log of links must not enrol others.
    override fun toString(): String = "EnrolmentLink(baseUrl=$baseUrl)"
}

/**
 * Reads the text of a QR code: `https://<app link>/enrol#v=1&api=<base URL>&code=<one-time code>`.
 *
 * @param baseUrl the only service whose links are accepted
 * @throws DeviceException `invalid-link`, `unsupported-link` or `foreign-link`
 */
fun scan(qr: String, baseUrl: String? = null): EnrolmentLink {
    val link = parse(qr)
    if (baseUrl != null && link.baseUrl != baseUrl.removeSuffix("/")) throw DeviceException("foreign-link")
    return link
}

private fun parse(qr: String): EnrolmentLink {
    val text = if (qr.length <= LONGEST_LINK) qr.trim() else ""
    val address = uriOf(text.substringBefore('#'))
    if (address == null || !isSafe(address.scheme?.lowercase(), address.host)) invalid()
    if (address.path?.endsWith("/enrol") != true) invalid()
    val members = membersOf(text.substringAfter('#', ""))
    if ((only(members, "v") ?: invalid()) != "1") throw DeviceException("unsupported-link")
    val baseUrl = only(members, "api")?.takeIf(::isBaseUrl) ?: invalid()
    val code = only(members, "code")?.takeIf(::isCode) ?: invalid()
    return EnrolmentLink(baseUrl, code)
}

private fun membersOf(fragment: String): List<Pair<String, String>> =
    fragment.split('&').map { decoded(it.substringBefore('=')) to decoded(it.substringAfter('=', "")) }

private fun decoded(text: String): String =
    try {
        URLDecoder.decode(text, "UTF-8")
    } catch (_: IllegalArgumentException) {
        invalid()
    }

/** The value of a member that is there once: of two values, another reader may use the other one. */
private fun only(members: List<Pair<String, String>>, name: String): String? =
    members.filter { it.first == name }.singleOrNull()?.second

private fun uriOf(text: String): URI? =
    try {
        URI(text)
    } catch (_: URISyntaxException) {
        null
    }

private val localHosts = setOf("localhost", "127.0.0.1", "[::1]")

/** Without TLS only on the own machine, for tests. */
private fun isSafe(scheme: String?, host: String?): Boolean =
    host != null && (scheme == "https" || (scheme == "http" && host in localHosts))

/** The normal spelling alone. Others can hide where they lead, such as `https://bank.example@evil.example`. */
private val baseUrlForm = Regex("""(https?)://([a-z0-9.-]+|\[::1])(?::([1-9][0-9]{0,4}))?((?:/[A-Za-z0-9._~-]+)*)""")

private val addressForm = Regex("""(?:(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])(?:\.|$)){4}""")

private fun isBaseUrl(text: String): Boolean {
    val (scheme, host, port, path) = baseUrlForm.matchEntire(text)?.destructured ?: return false
    val isDefaultPort = port == if (scheme == "https") "443" else "80"
    return isSafe(scheme, host) && isHost(host) && !isDefaultPort && path.split('/').none { it == "." || it == ".." }
}

/** What ends like a number is an address to some readers, in forms that few people read. */
private fun isHost(host: String): Boolean {
    val last = host.substringAfterLast('.')
    val isNumber = last.all { it in '0'..'9' } || last.startsWith("0x")
    return if (isNumber) addressForm.matches(host) else uriOf("https://$host")?.host == host
}

private fun isCode(code: String): Boolean = code.length in 1..LONGEST_CODE && code.all { it in '\u0021'..'\u007e' }

private fun invalid(): Nothing = throw DeviceException("invalid-link")
