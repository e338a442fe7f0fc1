package omi.device

import java.math.BigInteger
import java.security.KeyFactory
import java.security.KeyPair
import java.security.spec.ECPoint
import java.security.spec.ECPrivateKeySpec
import java.security.spec.ECPublicKeySpec
import java.util.Base64

internal fun bytes(base64url: String): ByteArray = Base64.getUrlDecoder().decode(base64url)

private fun Members.number(name: String) = BigInteger(1, bytes(text(name)))

internal fun keyFrom(jwk: Members): JvmKey {
    val factory = KeyFactory.getInstance("EC")
    val publicKey = factory.generatePublic(ECPublicKeySpec(ECPoint(jwk.number("x"), jwk.number("y")), p256))
    return JvmKey(KeyPair(publicKey, factory.generatePrivate(ECPrivateKeySpec(jwk.number("d"), p256))))
}

internal fun identityFrom(given: Members) = DeviceIdentity(
    baseUrl = given.text("baseUrl"),
    deviceId = given.text("deviceId"),
    tenantId = given.text("tenantId"),
    userId = given.text("userId"),
    tenant = given.optionalText("tenant") ?: "Bank",
    account = given.optionalText("account"),
)

internal fun challengeFrom(given: Members): Challenge = readChallenge(given)

internal fun answerFrom(given: Members): Answer =
    if (given.text("decision") == "deny")
        Answer.Deny(given.optionalText("reason")?.let { DenyReason.valueOf(it.uppercase()) })
    else
        Answer.Confirm(
            number = given.optionalText("number"),
            userVerification = given.optional("userVerification") { verificationFrom(given.members(it)) },
        )

internal fun verificationFrom(given: Members) = UserVerification(
    id = given.text("id"),
    authenticatorData = given.text("authenticatorData"),
    clientDataJSON = given.text("clientDataJSON"),
    signature = given.text("signature"),
)

internal fun addressFrom(given: Members): PushAddress =
    given.optional("subscription") { subscriptionFrom(given.members(it)) } ?: PushAddress.Token(given.text("pushToken"))

private fun subscriptionFrom(given: Members): PushAddress {
    val keys = given.members("keys")
    return PushAddress.Subscription(given.text("endpoint"), keys.text("p256dh"), keys.text("auth"))
}

internal fun descriptionFrom(given: Members): DeviceDescription {
    val hasAddress = listOf("pushToken", "subscription").any { given.optional(it) { true } == true }
    return DeviceDescription(
        name = given.text("name"),
        platform = Platform.valueOf(given.text("platform").uppercase().replace('-', '_')),
        address = if (hasAddress) addressFrom(given) else null,
        model = given.optionalText("model"),
        osVersion = given.optionalText("osVersion"),
        appVersion = given.optionalText("appVersion"),
        passkey = given.optional("passkey") { passkeyFrom(given.members(it)) },
    )
}

private fun passkeyFrom(given: Members): PasskeyRegistration {
    val publicKey = given.members("publicKey")
    return PasskeyRegistration(
        id = given.text("id"),
        publicKey = PublicJwk(publicKey.text("x"), publicKey.text("y")),
        authenticatorData = given.text("authenticatorData"),
        clientDataJSON = given.text("clientDataJSON"),
    )
}
