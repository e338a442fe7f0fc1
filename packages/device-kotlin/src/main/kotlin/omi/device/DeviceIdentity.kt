package omi.device

/** What the service calls an enrolled device, and where it enrolled. The ids are not for people: show the names. */
data class DeviceIdentity(
    val baseUrl: String,
    val deviceId: String,
    val tenantId: String,
    val userId: String,
    val tenant: String,
    val account: String? = null,
) {
    /** For the app to keep. */
    fun toJson(): String = Json.write(
        mapOf(
            "baseUrl" to baseUrl,
            "deviceId" to deviceId,
            "tenantId" to tenantId,
            "userId" to userId,
            "tenant" to tenant,
            "account" to account,
        ),
    )

    companion object {
        /**
         * The identity of [toJson].
         *
         * @throws DeviceException `unexpected-answer`
         */
        fun fromJson(json: String): DeviceIdentity {
            val kept = parseMembers(json)
            return readEnrolled(kept, kept.identifier("baseUrl"))
        }
    }
}
