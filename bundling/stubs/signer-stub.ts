import { SignatureV4 } from '@smithy/signature-v4';

/**
 * Replaces `@aws-sdk/signature-v4-multi-region`. For one region it signs as `SignatureV4` does; for several it needs a native
 * library that no bundle has.
 */
export class SignatureV4MultiRegion extends SignatureV4 {}

/** For directory buckets (S3 Express), which a target cannot be. */
export class SignatureV4SignWithCredentials extends SignatureV4 {}
