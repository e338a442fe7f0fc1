package omi.device

/** As JSON names them, so that a test compares them with what the service has sent. */
internal fun toMap(link: EnrolmentLink): Map<String, Any?> = mapOf("baseUrl" to link.baseUrl, "code" to link.code)

internal fun toMap(challenge: Challenge): Map<String, Any?> = mapOf(
    "challengeId" to challenge.challengeId,
    "tenant" to challenge.tenant,
    "account" to challenge.account,
    "message" to challenge.message,
    "messageHash" to challenge.messageHash,
    "context" to challenge.context,
    "contextHash" to challenge.contextHash,
    "createdAt" to challenge.createdAt,
    "expiresAt" to challenge.expiresAt,
    "expiresInMs" to challenge.expiresInMs,
    "matchNumbers" to challenge.matchNumbers,
    "typedNumber" to challenge.typedNumber.takeIf { it },
    "votes" to challenge.votes?.let { mapOf("confirmed" to it.confirmed, "confirmedBy" to it.confirmedBy) },
    "details" to challenge.details,
    "detailsHash" to challenge.detailsHash,
    "returnTo" to challenge.returnTo,
)

internal fun toMap(context: ChallengeContext): Map<String, Any?> = mapOf(
    "userVerification" to context.userVerification.name.lowercase(),
    "requester" to context.requester?.let { mapOf("tenant" to it.tenant, "client" to it.client) },
    "purpose" to context.purpose,
    "device" to context.device?.let { mapOf("deviceId" to it.deviceId, "name" to it.name) },
    "requestedFrom" to context.requestedFrom?.let {
        mapOf("browser" to it.browser, "place" to it.place, "ip" to it.ip)
    },
    "group" to context.group?.let { mapOf("id" to it.id, "required" to it.required, "of" to it.of) },
)

internal fun toMap(brand: Brand): Map<String, Any?> = mapOf(
    "name" to brand.name,
    "color" to brand.color,
    "logoUrl" to brand.logoUrl,
    "supportUrl" to brand.supportUrl,
)

internal fun toMap(preview: EnrolmentPreview): Map<String, Any?> = mapOf(
    "tenant" to preview.tenant,
    "account" to preview.account,
    "brand" to preview.brand?.let(::toMap),
    "expiresAt" to preview.expiresAt,
    "userVerification" to preview.userVerification.name.lowercase(),
)

internal fun toMap(settings: DeviceSettings): Map<String, Any?> = mapOf(
    "webPush" to mapOf("applicationServerKey" to settings.applicationServerKey),
    "rpId" to settings.rpId,
    "origins" to settings.origins,
)
