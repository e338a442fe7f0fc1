/** Operations of KMS that Lambdas use, but for those that only a deployment calls. */
export const keyOperations = ['Encrypt', 'Decrypt', 'Sign', 'GetPublicKey'] as const;
