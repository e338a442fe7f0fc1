package omi.device

/** An id that stays one segment of a URL's path. */
private val pathSegment = Regex("[A-Za-z0-9_-]{1,128}")

/** A number for matching: its digits are shown on a button. */
private val digits = Regex("[0-9]{1,8}")

private val hexColor = Regex("#[0-9a-f]{6}")

private val anything = Regex(".+", RegexOption.DOT_MATCHES_ALL)

/**
 * Reads what an app shows beside message and details.
 *
 * @param context the text of a challenge's `context`
 * @throws DeviceException `unexpected-answer`
 */
fun readContext(context: String): ChallengeContext {
    val from = parseMembers(context)
    return ChallengeContext(
        userVerification = from.mode("userVerification"),
        requester = from.optional("requester") { readRequester(from.members(it)) },
        purpose = from.optionalText("purpose"),
        device = from.optional("device") { readSubject(from.members(it)) },
        requestedFrom = from.optional("requestedFrom") { readOrigin(from.members(it)) },
        group = from.optional("group") { readGroup(from.members(it)) },
    )
}

private fun readRequester(from: Members) =
    ChallengeContext.Requester(from.text("tenant"), from.optionalText("client"))

private fun readSubject(from: Members) = ChallengeContext.Subject(from.identifier("deviceId"), from.text("name"))

private fun readOrigin(from: Members) =
    ChallengeContext.Origin(from.optionalText("browser"), from.optionalText("place"), from.optionalText("ip"))

private fun readGroup(from: Members) =
    ChallengeContext.Group(from.identifier("id"), from.quantity("required").toInt(), from.quantity("of").toInt())

internal fun readPushArrives(from: Members): Boolean = !from.says("push", "unreachable")

/** One bad challenge does not hide the others. A list of which none can be read is not the service's. */
internal fun readChallenges(from: Members): List<Challenge> {
    val items = from.items("challenges")
    val read = items.mapNotNull { readableChallenge(it) }
    if (read.isEmpty() && items.isNotEmpty()) unexpected()
    return read
}

private fun readableChallenge(item: Any?): Challenge? =
    try {
        readChallenge(membersOf(item))
    } catch (_: DeviceException) {
        null
    }

internal fun readChallenge(from: Members) = Challenge(
    challengeId = from.matching("challengeId", pathSegment),
    tenant = from.identifier("tenant"),
    account = from.optionalIdentifier("account"),
    message = from.text("message"),
    messageHash = from.identifier("messageHash"),
    context = from.text("context").also(::readContext),
    contextHash = from.identifier("contextHash"),
    createdAt = from.text("createdAt"),
    expiresAt = from.text("expiresAt"),
    expiresInMs = from.quantity("expiresInMs").toLong(),
    matchNumbers = from.optional("matchNumbers") { from.texts(it, digits) },
    typedNumber = from.optional("typedNumber", from::flag) ?: false,
    details = from.optionalText("details"),
    detailsHash = from.optionalText("detailsHash"),
    votes = from.optional("votes") { readVotes(from.members(it)) },
    returnTo = from.optional("returnTo", from::webAddress),
)

private fun readVotes(from: Members) =
    Votes(from.quantity("confirmed").toInt(), from.texts("confirmedBy", anything))

internal fun readStatus(from: Members): String = from.text("status")

internal fun readEnrolled(from: Members, baseUrl: String) = DeviceIdentity(
    baseUrl = baseUrl,
    deviceId = from.identifier("deviceId"),
    tenantId = from.identifier("tenantId"),
    userId = from.identifier("userId"),
    tenant = from.identifier("tenant"),
    account = from.optionalIdentifier("account"),
)

internal fun readBrand(from: Members) = Brand(
    name = from.identifier("name"),
    color = from.optional("color") { from.matching(it, hexColor) },
    logoUrl = from.optional("logoUrl", from::webAddress),
    supportUrl = from.optional("supportUrl", from::webAddress),
)

internal fun readPreview(from: Members) = EnrolmentPreview(
    tenant = from.identifier("tenant"),
    account = from.optionalIdentifier("account"),
    brand = from.optional("brand") { readBrand(from.members(it)) },
    expiresAt = from.text("expiresAt"),
    userVerification = from.mode("userVerification"),
)

internal fun readSettings(from: Members) = DeviceSettings(
    applicationServerKey = from.members("webPush").identifier("applicationServerKey"),
    rpId = from.identifier("rpId"),
    origins = from.texts("origins", anything),
)
