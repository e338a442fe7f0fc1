import Foundation

/// `https://<app link>/enrol#v=1&api=<base URL>&code=<one-time code>`
struct EnrolmentLink {
    let baseURL: String
    let code: String

    init(_ text: String, service: String? = nil) throws {
        guard let link = URLComponents(string: text), Self.isSafe(link), link.path.hasSuffix("/enrol")
        else { throw OmiDevice.Failure.invalidLink }
        // The fragment has the form of a query.
        var fragment = URLComponents()
        fragment.percentEncodedQuery = link.percentEncodedFragment
        let items = fragment.queryItems ?? []
        func only(_ name: String) -> String? {
            let values = items.filter { $0.name == name }
            return values.count == 1 ? values[0].value : nil
        }
        guard let version = only("v") else { throw OmiDevice.Failure.invalidLink }
        guard version == "1" else { throw OmiDevice.Failure.unsupportedLink }
        guard let baseURL = only("api"), let api = URLComponents(string: baseURL), Self.isSafe(api),
            api.user == nil, api.query == nil, api.fragment == nil, !baseURL.hasSuffix("/"),
            let code = only("code"), !code.isEmpty
        else { throw OmiDevice.Failure.invalidLink }
        guard service == nil || service == baseURL else { throw OmiDevice.Failure.foreignLink }
        self.baseURL = baseURL
        self.code = code
    }

    /// Without TLS only on the own machine, for tests.
    private static func isSafe(_ url: URLComponents) -> Bool {
        guard let host = url.host, !host.isEmpty else { return false }
        return url.scheme == "https" || (url.scheme == "http" && ["localhost", "127.0.0.1", "::1", "[::1]"].contains(host))
    }
}
