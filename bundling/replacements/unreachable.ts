/** In place of parts of the SDK and of Powertools that a Lambda of this service never comes to. */
function unreachable(): never {
  throw new Error('This part of a library is not in the bundle (bundling/replacements/unreachable.ts).');
}

export {
  /** SHA-256 in JavaScript, for engines without `node:crypto`. */
  unreachable as Sha256Js,
  /** `AWS_RETRY_MODE=adaptive`; ours is the standard one. */
  unreachable as AdaptiveRetryStrategy,
  /** Asks the machine for its region; Lambda says `AWS_REGION`. */
  unreachable as getInstanceMetadataRegion,
  /** Holds log lines back, where buffering is enabled. */
  unreachable as CircularMap,
};
