package omi.device

/** Devices and keys have names, by which later tasks find them. */
internal class Tasks {
    private val keys = HashMap<String, JvmKey>()
    private val devices = HashMap<String, Device>()

    fun run(given: Members): Any? = when (val task = given.text("task")) {
        "scan" -> toMap(scan(given.text("text"), given.optionalText("baseUrl")))
        "hash" -> hashOf(given.text("text"))
        "json" -> Json.write(Json.parse(given.text("text")))
        "derToRaw" -> base64url(derToRaw(bytes(given.text("der"))))
        "registrationChallenge" -> base64url(registrationChallenge(given.text("code")))
        "removalChallenge" -> base64url(removalChallenge(given.text("deviceId"), given.text("jti")))
        "assertionChallenge" -> base64url(assertion(given))
        "readContext" -> toMap(readContext(given.text("context")))
        "preview" -> toMap(preview(scan(given.text("qr"))))
        "brand" -> toMap(brand(given.text("baseUrl"), given.text("tenantId")))
        "settings" -> toMap(settings(given.text("baseUrl")))
        "key" -> keep(given.text("key"), given.optional("pem") { JvmKey.fromPem(given.text(it)) } ?: JvmKey.generate())
        "jwk" -> keep(given.text("key"), keyFrom(given.members("jwk")))
        "enrol" -> keep(given.text("device"), enrol(given))
        "open" -> keep(given.text("device"), Device(identityFrom(given.members("identity")), connectionFrom(given)))
        "challenges" -> device(given).challenges().map(::toMap)
        "answer" -> device(given).answer(challengeFrom(given.members("challenge")), answerFrom(given.members("answer")))
        "refreshPushToken" -> device(given).refreshPushToken(addressFrom(given.members("address"))).let { null }
        "rename" -> device(given).rename(given.text("name")).let { null }
        "unregister" -> unregister(given)
        else -> throw IllegalArgumentException(task)
    }

    private fun assertion(given: Members): ByteArray {
        val hashes = listOf(given.text("messageHash"), given.text("contextHash"))
        val detailsHash = given.optionalText("detailsHash")
        return assertionChallenge(given.text("challengeId"), hashes, given.text("decision"), detailsHash)
    }

    private fun enrol(given: Members): Device {
        val scanned = given.optional("qr") { scan(given.text(it)) }
        val link = scanned ?: EnrolmentLink(given.text("baseUrl"), given.text("code"))
        return Device.enrol(link, descriptionFrom(given.members("description")), connectionFrom(given))
    }

    /** The challenge that the passkey was asked for. */
    private fun unregister(given: Members): String? {
        var asked: String? = null
        device(given).unregister { challenge ->
            asked = base64url(challenge)
            given.optional("userVerification") { verificationFrom(given.members(it)) }
        }
        return asked
    }

    private fun keep(name: String, key: JvmKey): Any {
        keys[name] = key
        val publicKey = key.publicKey
        return mapOf("pem" to key.toPem(), "publicKey" to publicKey.toClaim(), "thumbprint" to publicKey.thumbprint)
    }

    private fun keep(name: String, device: Device): Any? {
        devices[name] = Device(DeviceIdentity.fromJson(device.identity.toJson()), connections.getValue(name))
        return Json.parse(device.identity.toJson())
    }

    private val connections = HashMap<String, Connection>()

    private fun connectionFrom(given: Members): Connection {
        val at = given.optional("now", given::quantity)?.toLong()
        val connection = Connection(
            key = keys.getValue(given.text("key")),
            endpoint = given.optionalText("endpoint"),
            now = { at ?: System.currentTimeMillis() },
        )
        connections[given.text("device")] = connection
        return connection
    }

    private fun device(given: Members): Device = devices.getValue(given.text("device"))
}
