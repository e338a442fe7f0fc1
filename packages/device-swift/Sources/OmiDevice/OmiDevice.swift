import CryptoKit
import Foundation

/// A device of OMI. Keep one for each enrolment.
public actor OmiDevice {
    public struct Identity: Codable, Sendable {
        public let baseURL: String
        public let deviceId: String
        public let tenantId: String
        /// For the service alone. Show people `tenant` and `account`.
        public let userId: String
        public let tenant: String
        public let account: String?
    }

    /// For whom a code enrols. Show it before you ask the user for anything.
    public struct Preview: Decodable, Sendable {
        public let tenant: String
        public let account: String?
        public let expiresAt: String
        /// With `required`, the enrolment needs a passkey.
        public let userVerification: String
    }

    /// The same for all devices. `rpId` and `origins` are for the passkeys of users.
    public struct Settings: Decodable, Sendable {
        public struct WebPush: Decodable, Sendable { public let applicationServerKey: String }
        public let webPush: WebPush
        public let rpId: String
        public let origins: [String]
    }

    /// Of a tenant. Show it beside the requester of a challenge, never in its place.
    public struct Brand: Decodable, Sendable { public let name: String, color: String?, logoUrl: String?, supportUrl: String? }

    public struct Challenge: Decodable, Sendable {
        public let challengeId: String
        public let tenant: String
        public let account: String?
        /// Show it in full, as plain text.
        public let message: String
        public let messageHash: String
        /// For a countdown: it does not depend on the device's clock.
        public let expiresInMs: Double
        /// Three numbers, one of which the website shows.
        public let matchNumbers: [String]?
        /// The website shows a number of 6 digits: let the user type it, before you ask for the fingerprint.
        public let typedNumber: Bool?
        /// Show every member.
        public let details: String?
        public let detailsHash: String?
        /// A JSON text: show what `readContext` reads from it.
        public let context: String
        public let contextHash: String
        /// Of a vote, where the tenant lets members see the others. It is not signed.
        public let votes: Votes?
        /// The page of the website that the user came from: offer it after the answer, if it is https. It is not signed.
        public let returnTo: String?

        /// How many of a group have confirmed, and the labels of those who have one.
        public struct Votes: Decodable, Sendable { public let confirmed: Int, confirmedBy: [String] }

        public func readContext() throws -> ChallengeContext {
            try JSONDecoder().decode(ChallengeContext.self, from: Data(context.utf8))
        }
    }

    /// What a challenge shows beside message and details. Show all of it, and nothing that it does not say.
    public struct ChallengeContext: Decodable, Sendable {
        public struct Requester: Decodable, Sendable { public let tenant: String, client: String? }
        public struct Subject: Decodable, Sendable { public let deviceId: String, name: String }
        public struct Origin: Decodable, Sendable { public let browser: String?, place: String?, ip: String? }
        public struct Group: Decodable, Sendable { public let id: String, required: Int, of: Int }

        /// The registered names of who asks.
        public let requester: Requester?
        /// What a confirmation will allow: `add-device` or `remove-device`. Show one that you do not know as it is.
        public let purpose: String?
        /// The device that a confirmation removes.
        public let device: Subject?
        /// `off`, `preferred` or `required`.
        public let userVerification: String
        /// Where the request to the website came from, as the website says.
        public let requestedFrom: Origin?
        /// The answer is a vote: say how many of how many people must confirm.
        public let group: Group?
    }

    public enum Decision: Sendable {
        /// `userVerification` is a passkey's assertion: `id`, `authenticatorData`, `clientDataJSON` and `signature`, in base64url.
        case confirm(number: String? = nil, userVerification: [String: String]? = nil)
        case decline
        case notMe
    }

    public enum Failure: Error {
        case invalidLink
        case unsupportedLink
        case foreignLink
        /// A hash is not that of what was shown: nothing was signed.
        case messageMismatch
        /// No answer arrived. The same call may be repeated.
        case network(Error)
        /// A problem of the service, such as `challenge-expired` or `number-required`.
        case refused(status: Int, code: String, serverTime: Date?, retryAfter: Double?)
    }

    public let identity: Identity
    private let key: DeviceKey
    private let transport: Transport
    /// Seconds that the service's clock is ahead.
    private var lead: TimeInterval
    /// What the last `challenges()` said of pushes. False: none arrives until `refreshPushToken` has sent another token.
    public private(set) var pushArrives = true

    private init(identity: Identity, key: DeviceKey, transport: Transport, lead: TimeInterval) {
        self.identity = identity
        self.key = key
        self.transport = transport
        self.lead = lead
    }

    // MARK: - Calls

    /// Asks for whom the code of a QR code is. The code stays usable.
    public static func preview(link text: String, service: String? = nil) async throws -> Preview {
        let link = try EnrolmentLink(text, service: service)
        let body = try JSONSerialization.data(withJSONObject: ["code": link.code])
        let url = link.baseURL + "/omi/device/enrolments/preview"
        let answer = try await Transport().send("POST", url, String(decoding: body, as: UTF8.self), type: "application/json")
        return try JSONDecoder().decode(Preview.self, from: answer)
    }

    /// `service` is its base URL.
    public static func settings(of service: String) async throws -> Settings {
        try JSONDecoder().decode(Settings.self, from: try await Transport().get(service + "/omi/device/settings"))
    }

    /// Nil if the tenant has none.
    public func brand() async throws -> Brand? {
        do {
            let url = identity.baseURL + "/omi/device/tenants/" + identity.tenantId
            return try JSONDecoder().decode(Brand.self, from: try await transport.get(url))
        } catch Failure.refused(404, _, _, _) {
            return nil
        }
    }

    /// Enrols with the text of a QR code. `environment` is `apns`, or `apns-sandbox` for builds from Xcode. With `service`,
    /// only links of this base URL are accepted.
    public static func enrol(
        link text: String, name: String, apnsToken: Data, environment: String = "apns", service: String? = nil
    ) async throws -> OmiDevice {
        let link = try EnrolmentLink(text, service: service)
        let key = try DeviceKey.generate()
        let transport = Transport()
        var lead: TimeInterval = 0
        let claims: [String: Any] = [
            "code": link.code, "name": name, "platform": environment,
            "pushToken": apnsToken.map { String(format: "%02x", $0) }.joined(),
        ]
        let answer = try await call(transport, lead: &lead, method: "POST", url: link.baseURL + "/omi/device/enrolments") { now in
            try sign(
                ["typ": "omi-enrolment+jws", "jwk": key.publicJWK],
                common(audience: link.baseURL, now: now, key: key).merging(claims) { _, own in own }, key)
        }
        struct Enrolled: Decodable {
            let deviceId, tenantId, userId, tenant: String
            let account: String?
        }
        let enrolled = try JSONDecoder().decode(Enrolled.self, from: answer)
        let identity = Identity(
            baseURL: link.baseURL, deviceId: enrolled.deviceId, tenantId: enrolled.tenantId, userId: enrolled.userId,
            tenant: enrolled.tenant, account: enrolled.account)
        try Storage.save(identity, key)
        return OmiDevice(identity: identity, key: key, transport: transport, lead: lead)
    }

    /// The device of an earlier start, if there is one.
    public static func load() throws -> OmiDevice? {
        guard let (identity, key) = try Storage.load() else { return nil }
        return OmiDevice(identity: identity, key: key, transport: Transport(), lead: 0)
    }

    /// Fetch them on each push, and when the app comes to the foreground.
    public func challenges() async throws -> [Challenge] {
        // One bad challenge does not hide the others.
        struct Item: Decodable {
            let challenge: Challenge?
            init(from decoder: Decoder) throws { challenge = try? Challenge(from: decoder) }
        }
        struct List: Decodable { let challenges: [Item], push: String }
        let path = "/omi/device/challenges"
        let answer: Data
        do {
            answer = try await request("GET", path)
        } catch Failure.refused(_, "stale-request", _, _) {
            // It has arrived before, and the answer was lost; or a newer one has overtaken it.
            answer = try await request("GET", path)
        }
        let list = try JSONDecoder().decode(List.self, from: answer)
        pushArrives = list.push != "unreachable"
        return list.challenges.compactMap(\.challenge)
    }

    /// Returns the status: `confirmed` or `denied`.
    public func answer(_ challenge: Challenge, _ decision: Decision) async throws -> String {
        guard Self.hash(challenge.message) == challenge.messageHash,
            challenge.details.map(Self.hash) == challenge.detailsHash,
            Self.hash(challenge.context) == challenge.contextHash
        else { throw Failure.messageMismatch }
        var claims: [String: Any] = [
            "challengeId": challenge.challengeId, "messageHash": challenge.messageHash,
            "contextHash": challenge.contextHash,
        ]
        claims["detailsHash"] = challenge.detailsHash
        switch decision {
        case .confirm(let number, let userVerification):
            claims["decision"] = "confirm"
            claims["number"] = number
            claims["userVerification"] = userVerification
        case .decline:
            claims["decision"] = "deny"
            claims["reason"] = "user_declined"
        case .notMe:
            claims["decision"] = "deny"
            claims["reason"] = "not_me"
        }
        struct Answered: Decodable { let status: String }
        let path = "/omi/device/challenges/\(challenge.challengeId)/response"
        let answer = try await message("POST", path, typ: "omi-response+jws", claims)
        return try JSONDecoder().decode(Answered.self, from: answer).status
    }

    /// The challenge of the passkey's assertion that goes with a confirmation.
    public static func assertionChallenge(_ challenge: Challenge) -> Data {
        var decided = [challenge.challengeId, challenge.messageHash, challenge.contextHash, "confirm"]
        if let detailsHash = challenge.detailsHash { decided.append(detailsHash) }
        return Data(SHA256.hash(data: Data(decided.joined(separator: ".").utf8)))
    }

    /// Call it with each token that iOS gives to the app.
    public func refreshPushToken(_ apnsToken: Data) async throws {
        let token = apnsToken.map { String(format: "%02x", $0) }.joined()
        do {
            _ = try await message("PUT", "/omi/device/push-token", typ: "omi-push-token+jws", ["pushToken": token])
        } catch Failure.refused(_, "stale-request", _, _) {
            // A newer token has arrived already.
        }
    }

    /// Changes what the user calls this device, where websites and apps list it.
    public func rename(_ name: String) async throws {
        _ = try await message("PUT", "/omi/device/name", typ: "omi-device-name+jws", ["name": name])
    }

    /// Removes the device at the service, and its key here. `verify` asks the passkey, if the device has one, with this WebAuthn
    /// challenge, and returns its assertion as in `Decision.confirm`.
    public func unregister(verify: (@Sendable (Data) async throws -> [String: String]?)? = nil) async throws {
        let jti = Self.newId()
        let challenge = Data(SHA256.hash(data: Data("unregister.\(identity.deviceId).\(jti)".utf8)))
        var claims: [String: Any] = ["jti": jti]
        claims["userVerification"] = try await verify?(challenge)
        _ = try await request("DELETE", "/omi/device", claims)
        Storage.delete()
    }

    // MARK: - Signed messages

    private func request(_ method: String, _ path: String, _ own: [String: Any] = [:]) async throws -> Data {
        let target: [String: Any] = ["htm": method, "htu": identity.baseURL + path]
        return try await message(method, path, typ: "omi-request+jws", target.merging(own) { _, own in own })
    }

    private func message(_ method: String, _ path: String, typ: String, _ own: [String: Any]) async throws -> Data {
        let (identity, key) = (self.identity, self.key)
        var lead = self.lead
        defer { self.lead = lead }
        return try await Self.call(transport, lead: &lead, method: method, url: identity.baseURL + path) { now in
            var claims = Self.common(audience: identity.baseURL, now: now, key: key)
            claims["iss"] = identity.deviceId
            claims["tid"] = identity.tenantId
            claims["sub"] = identity.userId
            return try Self.sign(
                ["typ": typ, "kid": identity.deviceId], claims.merging(own) { _, own in own }, key)
        }
    }

    /// `iat` is an Int: a Double would be written with a fraction. `jkt` says which key signs.
    private static func common(audience: String, now: Date, key: DeviceKey) -> [String: Any] {
        [
            "aud": audience, "iat": Int(now.timeIntervalSince1970), "jti": newId(), "jkt": key.thumbprint,
        ]
    }

    private static func newId() -> String { UUID().uuidString.lowercased() }

    static func sign(_ header: [String: Any], _ claims: [String: Any], _ key: DeviceKey) throws -> String {
        let header = header.merging(["alg": "ES256"]) { own, _ in own }
        let input = try [header, claims]
            .map { try JSONSerialization.data(withJSONObject: $0, options: [.sortedKeys, .withoutEscapingSlashes]).base64URL }
            .joined(separator: ".")
        return try input + "." + key.signature(for: Data(input.utf8)).base64URL
    }

    /// base64url SHA-256 of the text's UTF-8 bytes. Swift keeps the text as JSON has it; do not normalize it.
    static func hash(_ text: String) -> String {
        Data(SHA256.hash(data: Data(text.utf8))).base64URL
    }

    /// Signs by the device's clock. If that is wrong, signs once more by the service's.
    private static func call(
        _ transport: Transport, lead: inout TimeInterval, method: String, url: String,
        sign: (Date) throws -> String
    ) async throws -> Data {
        do {
            return try await transport.send(method, url, try sign(Date(timeIntervalSinceNow: lead)))
        } catch Failure.refused(_, "clock-skew", let serverTime?, _) {
            lead = serverTime.timeIntervalSinceNow
            return try await transport.send(method, url, try sign(serverTime))
        }
    }
}
