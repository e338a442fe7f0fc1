import { SignatureV4 } from '@smithy/signature-v4';

/**
 * In place of `@aws-sdk/signature-v4-multi-region`, which signs a call for one region as `SignatureV4` does, and for several
 * with a native library that no bundle has.
 */
export class SignatureV4MultiRegion extends SignatureV4 {}

/** For directory buckets (S3 Express), which no target is. */
export class SignatureV4SignWithCredentials extends SignatureV4 {}
