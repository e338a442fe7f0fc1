package omi.device

/**
 * For whom a code enrols a device.
 *
 * @property tenant the registered name of the website's tenant
 * @property account the label that the website gave the user's account
 * @property expiresAt when the code expires, in RFC 3339
 * @property userVerification `REQUIRED`: the enrolment needs a passkey
 */
data class EnrolmentPreview(
    val tenant: String,
    val account: String?,
    val brand: Brand?,
    val expiresAt: String,
    val userVerification: UserVerificationMode,
)

/**
 * How a tenant presents itself. Show it beside the names that are signed, never in their place.
 *
 * @property color like `#0a7d4f`. It may be any: choose the colour of a text on it by their contrast
 * @property logoUrl an SVG or PNG of the service
 * @property supportUrl where the tenant's users find help
 */
data class Brand(val name: String, val color: String?, val logoUrl: String?, val supportUrl: String?)

/**
 * The service's settings for devices.
 *
 * @property applicationServerKey the service's public key for Web Push
 * @property rpId the relying party of passkeys (WebAuthn)
 * @property origins the origins that may use them
 */
data class DeviceSettings(val applicationServerKey: String, val rpId: String, val origins: List<String>)

/**
 * Says for whom a code is, without using it up. Show it before you ask the user for anything. It needs no key.
 *
 * @throws DeviceException `enrolment-not-found`, `enrolment-code-used` or `enrolment-code-expired`
 */
fun preview(link: EnrolmentLink): EnrolmentPreview {
    val content = Content("application/json", Json.write(mapOf("code" to link.code)))
    return readPreview(unsigned(Request("POST", link.baseUrl + Paths.PREVIEW, content = content)))
}

/**
 * How a tenant presents itself. It needs no key, and may be kept for five minutes.
 *
 * @throws DeviceException `tenant-not-found`
 */
fun brand(baseUrl: String, tenantId: String): Brand =
    readBrand(unsigned(Request("GET", baseUrl + Paths.tenant(tenantId))))

/**
 * The service's settings for devices. They need no key, and may be kept for five minutes.
 *
 * @throws DeviceException
 */
fun settings(baseUrl: String): DeviceSettings = readSettings(unsigned(Request("GET", baseUrl + Paths.SETTINGS)))

private fun unsigned(request: Request): Members = parseMembers(withRetries { send(request) })
