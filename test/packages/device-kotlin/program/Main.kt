package omi.device

/** Does what each line of standard input says, and prints the outcome as a line. */
fun main() {
    val tasks = Tasks()
    for (line in generateSequence(::readlnOrNull)) {
        println(Json.write(outcomeOf { tasks.run(parseMembers(line)) }))
    }
}

private fun outcomeOf(work: () -> Any?): Map<String, Any?> =
    try {
        mapOf("result" to work())
    } catch (error: DeviceException) {
        val told = mapOf("serverTime" to error.serverTime, "retryAfter" to error.retryAfter, "detail" to error.detail)
        mapOf("error" to mapOf("code" to error.code, "status" to error.status, "message" to error.message) + told)
    } catch (error: JsonException) {
        mapOf("error" to mapOf("code" to "json", "message" to error.message))
    }
