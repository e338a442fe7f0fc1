package omi.device

/**
 * JSON (RFC 8259), because neither the standard library nor every Android has a reader without a dependency.
 *
 * Objects are maps, lists are lists, numbers are `Double`.
 */
internal object Json {
    /** @throws JsonException for all that is not exactly one JSON text */
    fun parse(text: String): Any? = JsonReader(text).read()

    /** Members that are null are left out. */
    fun write(value: Any?): String = StringBuilder().also { writeTo(it, value) }.toString()

    private fun writeTo(out: StringBuilder, value: Any?) {
        when (value) {
            is String -> writeText(out, value)
            is Map<*, *> -> writeMembers(out, value.filterValues { it != null })
            is List<*> -> writeItems(out, value)
            is Double -> out.append(if (value % 1.0 == 0.0 && kotlin.math.abs(value) < 1e15) value.toLong() else value)
            null, is Boolean, is Int, is Long -> out.append(value)
            else -> throw IllegalArgumentException("JSON has no ${value::class.java.name}")
        }
    }

    private fun writeMembers(out: StringBuilder, members: Map<*, *>) {
        out.append('{')
        members.entries.forEachIndexed { index, (name, value) ->
            if (index > 0) out.append(',')
            writeText(out, name as String)
            out.append(':')
            writeTo(out, value)
        }
        out.append('}')
    }

    private fun writeItems(out: StringBuilder, items: List<*>) {
        out.append('[')
        items.forEachIndexed { index, item ->
            if (index > 0) out.append(',')
            writeTo(out, item)
        }
        out.append(']')
    }

    private fun writeText(out: StringBuilder, text: String) {
        out.append('"')
        for (character in text) {
            when {
                character == '"' || character == '\\' -> out.append('\\').append(character)
                character < ' ' -> out.append("\\u%04x".format(character.code))
                else -> out.append(character)
            }
        }
        out.append('"')
    }
}

internal class JsonException(message: String) : Exception(message)
