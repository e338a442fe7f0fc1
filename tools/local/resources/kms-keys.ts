/** The service's KMS keys by their aliases, which are the same on every local stack. */
export const localKeys = {
  secrets: 'alias/omi-local-secrets',
  signing: 'alias/omi-local-signing',
  receipts: 'alias/omi-local-receipts',
  signals: 'alias/omi-local-signals',
  log: 'alias/omi-local-log',
} as const;
