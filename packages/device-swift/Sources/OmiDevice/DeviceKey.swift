import CryptoKit
import Foundation
import Security

/// A P-256 key in the Secure Enclave; in the simulator, which has none, a key in memory.
enum DeviceKey: @unchecked Sendable {
    case enclave(SecureEnclave.P256.Signing.PrivateKey)
    case software(P256.Signing.PrivateKey)

    static func generate() throws -> DeviceKey {
        guard SecureEnclave.isAvailable else { return .software(P256.Signing.PrivateKey()) }
        var error: Unmanaged<CFError>?
        // Add .userPresence to ask for Face ID, Touch ID or the passcode at each signature.
        guard
            let access = SecAccessControlCreateWithFlags(
                nil, kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly, [.privateKeyUsage], &error)
        else { throw error!.takeRetainedValue() as Error }
        return .enclave(try SecureEnclave.P256.Signing.PrivateKey(accessControl: access))
    }

    /// Of a key in the Secure Enclave this is a reference that only this device can use.
    var stored: Data {
        switch self {
        case .enclave(let key): return key.dataRepresentation
        case .software(let key): return key.rawRepresentation
        }
    }

    static func restore(_ stored: Data) throws -> DeviceKey {
        SecureEnclave.isAvailable
            ? .enclave(try SecureEnclave.P256.Signing.PrivateKey(dataRepresentation: stored))
            : .software(try P256.Signing.PrivateKey(rawRepresentation: stored))
    }

    private var coordinates: (x: String, y: String) {
        let point: Data
        switch self {
        case .enclave(let key): point = key.publicKey.x963Representation
        case .software(let key): point = key.publicKey.x963Representation
        }
        // 0x04, then x and y with 32 bytes each.
        return (Data(point.dropFirst().prefix(32)).base64URL, Data(point.suffix(32)).base64URL)
    }

    var publicJWK: [String: String] {
        let (x, y) = coordinates
        return ["kty": "EC", "crv": "P-256", "x": x, "y": y]
    }

    /// The key's name (RFC 7638): the hash of exactly this text.
    var thumbprint: String {
        let (x, y) = coordinates
        return OmiDevice.hash(#"{"crv":"P-256","kty":"EC","x":"\#(x)","y":"\#(y)"}"#)
    }

    /// ES256. `rawRepresentation` is r and s, 32 bytes each; `derRepresentation` would be refused.
    func signature(for data: Data) throws -> Data {
        switch self {
        case .enclave(let key): return try key.signature(for: data).rawRepresentation
        case .software(let key): return try key.signature(for: data).rawRepresentation
        }
    }
}
