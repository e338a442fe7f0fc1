package omi.device

import java.net.URLEncoder
import java.util.UUID

/** What a call says: its type, and the claims of the call itself. */
internal class Message(val typ: String, val claims: Map<String, Any?>)

internal object Paths {
    const val SETTINGS = "/omi/device/settings"
    const val ENROLMENTS = "/omi/device/enrolments"
    const val PREVIEW = "/omi/device/enrolments/preview"
    const val CHALLENGES = "/omi/device/challenges"
    const val PUSH_TOKEN = "/omi/device/push-token"
    const val NAME = "/omi/device/name"
    const val DEVICE = "/omi/device"

    fun tenant(tenantId: String): String = "/omi/device/tenants/${segment(tenantId)}"

    fun response(challengeId: String): String = "/omi/device/challenges/${segment(challengeId)}/response"

    private fun segment(id: String): String = URLEncoder.encode(id, "UTF-8").replace("+", "%20")
}

internal fun enrolmentMessage(code: String, description: DeviceDescription): Message = Message(
    "omi-enrolment+jws",
    mapOf(
        "code" to code,
        "name" to description.name,
        "platform" to description.platform.claim,
        "model" to description.model,
        "osVersion" to description.osVersion,
        "appVersion" to description.appVersion,
        "passkey" to description.passkey?.let(::passkeyClaim),
    ) + description.address?.let(::addressClaims).orEmpty(),
)

private fun passkeyClaim(passkey: PasskeyRegistration): Map<String, Any?> = mapOf(
    "id" to passkey.id,
    "publicKey" to passkey.publicKey.toClaim(),
    "authenticatorData" to passkey.authenticatorData,
    "clientDataJSON" to passkey.clientDataJSON,
)

/** A call without a body is bound to its method and URL. */
internal fun requestMessage(method: String, url: String, more: Map<String, Any?> = emptyMap()): Message =
    Message("omi-request+jws", mapOf("htm" to method, "htu" to url) + more)

internal fun answerMessage(challenge: Challenge, answer: Answer): Message = Message(
    "omi-response+jws",
    mapOf(
        "challengeId" to challenge.challengeId,
        "messageHash" to challenge.messageHash,
        "contextHash" to challenge.contextHash,
        "detailsHash" to challenge.detailsHash,
    ) + answerClaims(answer),
)

private fun answerClaims(answer: Answer): Map<String, Any?> = when (answer) {
    is Answer.Deny -> mapOf("decision" to "deny", "reason" to answer.reason?.name?.lowercase())
    is Answer.Confirm -> mapOf(
        "decision" to "confirm",
        "number" to answer.number,
        "userVerification" to answer.userVerification?.let(::verificationClaim),
    )
}

internal fun verificationClaim(verification: UserVerification): Map<String, Any?> = mapOf(
    "id" to verification.id,
    "authenticatorData" to verification.authenticatorData,
    "clientDataJSON" to verification.clientDataJSON,
    "signature" to verification.signature,
)

internal fun nameMessage(name: String): Message = Message("omi-device-name+jws", mapOf("name" to name))

internal fun pushTokenMessage(address: PushAddress): Message = Message("omi-push-token+jws", addressClaims(address))

private fun addressClaims(address: PushAddress): Map<String, Any?> = when (address) {
    is PushAddress.Token -> mapOf("pushToken" to address.pushToken)
    is PushAddress.Subscription -> {
        val keys = mapOf("p256dh" to address.p256dh, "auth" to address.auth)
        mapOf("subscription" to mapOf("endpoint" to address.endpoint, "keys" to keys))
    }
}

/** The claims of every call. A signature alone does not prove which key made it: `jkt` does. */
internal fun commonClaims(baseUrl: String, jkt: String, issuedAtMs: Long): Map<String, Any?> = mapOf(
    "iat" to Math.floorDiv(issuedAtMs, 1000L),
    "jti" to newId(),
    "aud" to baseUrl,
    "jkt" to jkt,
)

/** The claims of an enrolled device. */
internal fun ownClaims(identity: DeviceIdentity): Map<String, Any?> =
    mapOf("iss" to identity.deviceId, "tid" to identity.tenantId, "sub" to identity.userId)

internal fun newId(): String = UUID.randomUUID().toString()
