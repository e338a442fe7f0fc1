/** Replaces parts of the SDK that a Lambda of this service never reaches. */
function unreachable(): never {
  throw new Error('The bundle lacks this part of the SDK (bundling/stubs/unreachable-stub.ts).');
}

export {
  /** Hashes in JavaScript, for engines without `node:crypto`. */
  unreachable as Sha256Js,
  unreachable as Sha1Js,
  unreachable as Md5Js,
  /** `AWS_RETRY_MODE=adaptive`; this service uses the standard mode. */
  unreachable as AdaptiveRetryStrategy,
  /** Asks the machine for its region; Lambda sets `AWS_REGION`. */
  unreachable as getInstanceMetadataRegion,
  /** For the streams of browsers. The SDK's HTTP handler has those of Node.js. */
  unreachable as sdkStreamMixin,
  unreachable as createChecksumStream,
  unreachable as getAwsChunkedEncodingStream,
};
