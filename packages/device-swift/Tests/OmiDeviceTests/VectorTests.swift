import CryptoKit
import Foundation
import XCTest

@testable import OmiDevice

/// The published vectors that need no service.
final class VectorTests: XCTestCase {
    private struct File<Vector: Decodable>: Decodable { let vectors: [Vector] }

    private func content(of name: String) throws -> Data {
        let package = URL(fileURLWithPath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        return try Data(contentsOf: package.appendingPathComponent("../device/vectors/\(name).json"))
    }

    private func vectors<Vector: Decodable>(_ name: String) throws -> [Vector] {
        try JSONDecoder().decode(File<Vector>.self, from: content(of: name)).vectors
    }

    private func object(_ data: Data) throws -> [String: Any] {
        try XCTUnwrap(JSONSerialization.jsonObject(with: data) as? [String: Any])
    }

    private func bytes(_ base64URL: some StringProtocol) throws -> Data {
        let base64 = base64URL.replacingOccurrences(of: "-", with: "+").replacingOccurrences(of: "_", with: "/")
        let padding = String(repeating: "=", count: (4 - base64.count % 4) % 4)
        return try XCTUnwrap(Data(base64Encoded: base64 + padding))
    }

    private static let messages = [
        "enrolment", "request", "response", "user-verification", "push-token", "device-name", "unregister",
    ]

    /// The same header and claims, and a signature that the vector's key verifies.
    func testSignsEachMessage() throws {
        for name in Self.messages {
            let all = try XCTUnwrap(try object(content(of: name))["vectors"] as? [[String: Any]])
            for vector in all {
                guard let header = vector["header"] as? [String: Any], let claims = vector["claims"] as? [String: Any],
                    header["alg"] as? String == "ES256",
                    let jwk = vector["key"] as? [String: Any], let secret = jwk["d"] as? String
                else { continue }
                let title = "\(name): \(vector["name"] ?? "")"
                let key = try P256.Signing.PrivateKey(rawRepresentation: bytes(secret))
                let parts = try OmiDevice.sign(header, claims, .software(key)).split(separator: ".")
                XCTAssertEqual(parts.count, 3, title)
                XCTAssertEqual(try object(bytes(parts[0])) as NSDictionary, header as NSDictionary, title)
                XCTAssertEqual(try object(bytes(parts[1])) as NSDictionary, claims as NSDictionary, title)
                let signature = try P256.Signing.ECDSASignature(rawRepresentation: bytes(parts[2]))
                let signed = Data("\(parts[0]).\(parts[1])".utf8)
                XCTAssertTrue(key.publicKey.isValidSignature(signature, for: signed), title)
            }
        }
    }

    /// The claim `jkt` names the key that signs.
    func testNamesItsKey() throws {
        let all = try XCTUnwrap(try object(content(of: "request"))["vectors"] as? [[String: Any]])
        let first = try XCTUnwrap(all.first)
        let jwk = try XCTUnwrap(first["key"] as? [String: Any])
        let claims = try XCTUnwrap(first["claims"] as? [String: Any])
        let key = try P256.Signing.PrivateKey(rawRepresentation: bytes(XCTUnwrap(jwk["d"] as? String)))
        XCTAssertEqual(DeviceKey.software(key).thumbprint, claims["jkt"] as? String)
        XCTAssertEqual(DeviceKey.software(key).publicJWK["x"], jwk["x"] as? String)
        XCTAssertEqual(DeviceKey.software(key).publicJWK["y"], jwk["y"] as? String)
    }

    func testHashesOfMessages() throws {
        struct Vector: Decodable { let name: String, message: String, messageHash: String }
        let all: [Vector] = try vectors("message-hash")
        for vector in all { XCTAssertEqual(OmiDevice.hash(vector.message), vector.messageHash, vector.name) }
    }

    func testEnrolmentLinks() throws {
        struct Expected: Decodable { let baseUrl: String?, code: String?, error: String? }
        struct Vector: Decodable { let name: String, text: String, baseUrl: String?, expected: Expected }
        let all: [Vector] = try vectors("enrolment-link")
        for vector in all {
            let link = try? EnrolmentLink(vector.text, service: vector.baseUrl)
            XCTAssertEqual(link?.baseURL, vector.expected.baseUrl, vector.name)
            XCTAssertEqual(link?.code, vector.expected.code, vector.name)
        }
    }
}
