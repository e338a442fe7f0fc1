/**
 * What a key of the service signs: tokens, receipts of enrolments, or checkpoints of logs. No key has two uses, and verifiers
 * compare it, so no signature can be presented as one of another use.
 */
export type KeyUse = 'token' | 'receipt' | 'log';
