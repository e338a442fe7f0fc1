package omi.device

/** A driver of the conformance suite for devices (`packages/device/CONFORMANCE.md`): a command a line, an answer a line. */
object Conformance {
    @JvmStatic
    fun main(arguments: Array<String>) {
        val driver = ConformanceDriver()
        for (line in generateSequence(::readlnOrNull)) {
            val given = parseMembers(line)
            val answer = try {
                mapOf("result" to driver.obey(given))
            } catch (error: DeviceException) {
                mapOf("error" to mapOf("code" to error.code, "message" to error.message))
            }
            println(Json.write(answer))
        }
    }
}

private class ConformanceDriver {
    private val devices = HashMap<String, Device>()

    /** The challenges that the user sees, by their ids. */
    private val shown = HashMap<String, Challenge>()
    private var patienceMs = 0L

    fun obey(given: Members): Map<String, Any?> = when (val command = given.text("do")) {
        "hello" -> hello(given)
        "preview" -> toMap(preview(scan(given.text("link"))))
        "enrol" -> enrol(given)
        "challenges" -> challenges(given)
        "answer" -> mapOf("status" to device(given).answer(challenge(given), answerFrom(given)))
        "refresh" -> nothing { device(given).refreshPushToken(PushAddress.Token(given.text("pushToken"))) }
        "unregister" -> nothing {
            device(given).unregister()
            devices.remove(given.text("device"))
        }
        "lose" -> nothing { devices.remove(given.text("device")) }
        else -> throw IllegalArgumentException(command)
    }

    private fun hello(given: Members): Map<String, Any?> {
        patienceMs = given.quantity("patienceMs").toLong()
        val can = listOf("number", "details", "push-token")
        return mapOf("name" to "omi.device for Kotlin", "can" to can, "patienceMs" to patienceMs)
    }

    private fun enrol(given: Members): Map<String, Any?> {
        val name = given.text("device")
        val description = DeviceDescription("Conformance", Platform.FCM, PushAddress.Token("token-of-$name"))
        val connection = Connection(JvmKey.generate(), patienceMs = patienceMs)
        val device = Device.enrol(scan(given.text("link")), description, connection)
        devices[name] = device
        return mapOf("deviceId" to device.identity.deviceId, "userId" to device.identity.userId)
    }

    private fun challenges(given: Members): Map<String, Any?> {
        val challenges = device(given).challenges()
        challenges.associateByTo(shown) { it.challengeId }
        return mapOf("challenges" to challenges.map { toMap(it) + ("context" to toMap(readContext(it.context))) })
    }

    private fun device(given: Members): Device = devices[given.text("device")] ?: throw DeviceException("unknown-device")

    private fun challenge(given: Members): Challenge =
        shown[given.text("challengeId")] ?: throw DeviceException("challenge-not-found")

    private fun nothing(work: () -> Unit): Map<String, Any?> = emptyMap<String, Any?>().also { work() }
}
