/** Operations of KMS that Lambdas use. */
export const keyOperations = ['Encrypt', 'Decrypt', 'Sign', 'GetPublicKey'] as const;
