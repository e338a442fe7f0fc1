import Foundation
import Security

/// Identity and key in the keychain of this device, which no backup restores elsewhere.
enum Storage {
    private struct Stored: Codable { let identity: OmiDevice.Identity, key: Data }

    private static let query: [CFString: Any] = [
        kSecClass: kSecClassGenericPassword, kSecAttrService: "omi-device", kSecAttrAccount: "default",
    ]

    static func save(_ identity: OmiDevice.Identity, _ key: DeviceKey) throws {
        delete()
        var item = query
        item[kSecAttrAccessible] = kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly
        item[kSecValueData] = try JSONEncoder().encode(Stored(identity: identity, key: key.stored))
        let status = SecItemAdd(item as CFDictionary, nil)
        guard status == errSecSuccess else { throw NSError(domain: NSOSStatusErrorDomain, code: Int(status)) }
    }

    static func load() throws -> (OmiDevice.Identity, DeviceKey)? {
        var wanted = query
        wanted[kSecReturnData] = true
        var found: CFTypeRef?
        let status = SecItemCopyMatching(wanted as CFDictionary, &found)
        if status == errSecItemNotFound { return nil }
        guard status == errSecSuccess, let data = found as? Data
        else { throw NSError(domain: NSOSStatusErrorDomain, code: Int(status)) }
        let stored = try JSONDecoder().decode(Stored.self, from: data)
        return (stored.identity, try DeviceKey.restore(stored.key))
    }

    static func delete() {
        SecItemDelete(query as CFDictionary)
    }
}
