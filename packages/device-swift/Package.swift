// swift-tools-version:5.7
import PackageDescription

let package = Package(
    name: "OmiDevice",
    platforms: [.iOS(.v15), .macOS(.v12)],
    products: [.library(name: "OmiDevice", targets: ["OmiDevice"])],
    targets: [
        .target(name: "OmiDevice"),
        .testTarget(name: "OmiDeviceTests", dependencies: ["OmiDevice"]),
    ]
)
