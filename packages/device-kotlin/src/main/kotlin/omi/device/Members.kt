package omi.device

private val webAddressForm =
    Regex("""https://[^/?#\\\p{Cntrl}][^\\\p{Cntrl}]*|http://(?:localhost|127\.0\.0\.1|\[::1])(?::[0-9]+)?(?:[/?#][^\\\p{Cntrl}]*)?""")

/** The members of a JSON object, read one by one, so that a hostile or broken answer never goes further than here. */
internal class Members(private val values: Map<*, *>) {
    fun text(name: String): String = values[name] as? String ?: unexpected()

    /** True if the member has this value. Any other value, of any type, is no fault. */
    fun says(name: String, value: String): Boolean = values[name] == value

    fun optionalText(name: String): String? = optional(name) { text(name) }

    fun identifier(name: String): String = text(name).ifEmpty { unexpected() }

    fun optionalIdentifier(name: String): String? = optional(name) { identifier(name) }

    fun quantity(name: String): Double = (values[name] as? Double)?.takeIf { it.isFinite() } ?: unexpected()

    fun flag(name: String): Boolean = values[name] as? Boolean ?: unexpected()

    fun matching(name: String, form: Regex): String = text(name).also { if (!form.matches(it)) unexpected() }

    fun texts(name: String, form: Regex): List<String> =
        items(name).map { (it as? String)?.takeIf(form::matches) ?: unexpected() }

    fun mode(name: String): UserVerificationMode =
        UserVerificationMode.entries.find { it.name.lowercase() == text(name) } ?: unexpected()

    /** Nothing else may become a link. A website on the developer's machine has no certificate. */
    fun webAddress(name: String): String = matching(name, webAddressForm)

    fun members(name: String): Members = membersOf(values[name])

    fun items(name: String): List<*> = values[name] as? List<*> ?: unexpected()

    /** The member, if the answer has it. */
    fun <T> optional(name: String, read: (String) -> T): T? = if (name in values) read(name) else null
}

internal fun membersOf(value: Any?): Members = Members(value as? Map<*, *> ?: unexpected())

internal fun parseMembers(json: String): Members =
    try {
        membersOf(Json.parse(json))
    } catch (_: JsonException) {
        unexpected()
    }

internal fun unexpected(): Nothing = throw DeviceException("unexpected-answer")
