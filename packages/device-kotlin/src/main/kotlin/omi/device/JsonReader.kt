package omi.device

/** Deeper than any valid answer, and far from the end of a thread's stack. */
private const val MOST_LEVELS = 64

/** Reads one JSON text, once. A member that is there twice is refused: another reader may use the other one. */
internal class JsonReader(private val text: String) {
    private var at = 0
    private var level = 0

    fun read(): Any? {
        val value = value()
        if (at < text.length) fail("the end")
        return value
    }

    private fun value(): Any? {
        skipSpace()
        val value = when (peek()) {
            '{' -> nested { members() }
            '[' -> nested { items() }
            '"' -> text()
            't' -> word("true", true)
            'f' -> word("false", false)
            'n' -> word("null", null)
            else -> number()
        }
        skipSpace()
        return value
    }

    private fun <T> nested(read: () -> T): T {
        level += 1
        if (level > MOST_LEVELS) fail("at most $MOST_LEVELS levels")
        at += 1
        return read().also { level -= 1 }
    }

    private fun members(): Map<String, Any?> {
        val members = LinkedHashMap<String, Any?>()
        skipSpace()
        if (takeIf('}')) return members
        do {
            skipSpace()
            val name = text()
            skipSpace()
            take(':')
            if (name in members) fail("each member once")
            members[name] = value()
        } while (takeIf(','))
        take('}')
        return members
    }

    private fun items(): List<Any?> {
        val items = ArrayList<Any?>()
        skipSpace()
        if (takeIf(']')) return items
        do items.add(value()) while (takeIf(','))
        take(']')
        return items
    }

    private fun text(): String {
        take('"')
        val read = StringBuilder()
        while (true) {
            val next = peek() ?: fail("the end of a string")
            at += 1
            when {
                next == '"' -> return read.toString().also(::refuseHalfCharacters)
                next == '\\' -> read.append(escaped())
                next < ' ' -> fail("no control character in a string")
                else -> read.append(next)
            }
        }
    }

    private fun escaped(): Char {
        val next = peek()
        at += 1
        return when (next) {
            '"', '\\', '/' -> next
            'b' -> '\b'
            'f' -> '\u000c'
            'n' -> '\n'
            'r' -> '\r'
            't' -> '\t'
            'u' -> fourDigits()
            else -> fail("an escape")
        }
    }

    private fun fourDigits(): Char {
        val digits = text.substring(at, minOf(at + 4, text.length))
        if (!hexadecimal.matches(digits)) fail("four hexadecimal digits")
        at += 4
        return digits.toInt(16).toChar()
    }

    /** Half of a character has no UTF-8, so its hash would be that of another text. */
    private fun refuseHalfCharacters(text: String) {
        if (!Charsets.UTF_8.newEncoder().canEncode(text)) fail("whole characters")
    }

    private fun number(): Double {
        val found = number.matchAt(text, at) ?: fail("a value")
        at = found.range.last + 1
        return found.value.toDouble()
    }

    private fun <T> word(word: String, value: T): T {
        if (!text.startsWith(word, at)) fail(word)
        at += word.length
        return value
    }

    private fun peek(): Char? = text.getOrNull(at)

    private fun takeIf(expected: Char): Boolean = (peek() == expected).also { if (it) at += 1 }

    private fun take(expected: Char) {
        if (!takeIf(expected)) fail("'$expected'")
    }

    private fun skipSpace() {
        while (at < text.length && text[at] in " \t\n\r") at += 1
    }

    private fun fail(expected: String): Nothing = throw JsonException("Expected $expected at character $at")

    private companion object {
        val number = Regex("-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][+-]?[0-9]+)?")
        val hexadecimal = Regex("[0-9a-fA-F]{4}")
    }
}
