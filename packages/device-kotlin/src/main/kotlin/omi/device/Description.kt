package omi.device

/** How the device describes itself at enrolment. */
data class DeviceDescription(
    val name: String,
    val platform: Platform,
    /** A device without one is asked for challenges while it is open. */
    val address: PushAddress? = null,
    val model: String? = null,
    val osVersion: String? = null,
    val appVersion: String? = null,
    val passkey: PasskeyRegistration? = null,
)

enum class Platform(internal val claim: String) {
    FCM("fcm"),
    APNS("apns"),
    APNS_SANDBOX("apns-sandbox"),
    WEB("web"),
}

/** Where pushes reach the device. */
sealed interface PushAddress {
    /** What the push provider gave to the app. */
    data class Token(val pushToken: String) : PushAddress

    /** A subscription of Web Push, such as UnifiedPush makes. */
    data class Subscription(val endpoint: String, val p256dh: String, val auth: String) : PushAddress
}

/** A passkey's creation (WebAuthn); all but the key in base64url. */
data class PasskeyRegistration(
    val id: String,
    val publicKey: PublicJwk,
    val authenticatorData: String,
    val clientDataJSON: String,
)
