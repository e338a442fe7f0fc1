import Foundation

/// Sends a message. After a lost answer it sends the same one again, so that nothing happens twice.
final class Transport: NSObject, URLSessionTaskDelegate, @unchecked Sendable {
    private lazy var session: URLSession = {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.timeoutIntervalForRequest = 35
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        return URLSession(configuration: configuration, delegate: self, delegateQueue: nil)
    }()

    /// What everybody may read.
    func get(_ url: String) async throws -> Data { try await send("GET", url, nil) }

    func send(_ method: String, _ url: String, _ content: String?, type: String = "application/jose") async throws -> Data {
        var pauses: [Double] = [0.3, 1, 2.5]
        while true {
            do {
                return try await exchange(method, url, content, type)
            } catch let failure as OmiDevice.Failure {
                guard let pause = pauses.first, let wait = Self.wait(for: failure), wait <= 10 else { throw failure }
                pauses.removeFirst()
                try await Task.sleep(nanoseconds: UInt64(max(wait, pause) * 1_000_000_000))
            }
        }
    }

    /// Seconds until the same message may succeed; nil if it never will.
    private static func wait(for failure: OmiDevice.Failure) -> Double? {
        switch failure {
        case .network: return 0
        case .refused(let status, _, _, let retryAfter) where status == 429 || status >= 500: return retryAfter ?? 0
        default: return nil
        }
    }

    private func exchange(_ method: String, _ url: String, _ content: String?, _ type: String) async throws -> Data {
        guard let target = URL(string: url) else { throw OmiDevice.Failure.invalidLink }
        var request = URLRequest(url: target)
        request.httpMethod = method
        if let content {
            if method == "GET" || method == "DELETE" {
                request.setValue("OMI-Device \(content)", forHTTPHeaderField: "Authorization")
            } else {
                request.setValue(type, forHTTPHeaderField: "Content-Type")
                request.httpBody = Data(content.utf8)
            }
        }
        let data: Data
        let response: URLResponse
        do {
            (data, response) = try await session.data(for: request)
        } catch {
            throw OmiDevice.Failure.network(error)
        }
        let http = response as! HTTPURLResponse
        if (200..<300).contains(http.statusCode) { return data }
        struct Problem: Decodable { let code: String?, serverTime: String? }
        let problem = try? JSONDecoder().decode(Problem.self, from: data)
        let times = ISO8601DateFormatter()
        times.formatOptions = [.withInternetDateTime, .withFractionalSeconds]
        throw OmiDevice.Failure.refused(
            status: http.statusCode, code: problem?.code ?? "unexpected-answer",
            serverTime: problem?.serverTime.flatMap(times.date(from:)),
            retryAfter: http.value(forHTTPHeaderField: "Retry-After").flatMap(Double.init))
    }

    /// The service never redirects: whoever does is not the service.
    func urlSession(
        _: URLSession, task _: URLSessionTask, willPerformHTTPRedirection _: HTTPURLResponse,
        newRequest _: URLRequest, completionHandler: @escaping (URLRequest?) -> Void
    ) {
        completionHandler(nil)
    }
}
