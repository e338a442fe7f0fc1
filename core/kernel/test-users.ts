/** What users do that exist for tests alone. */
export const testIntents = [
  'confirms',
  'denies',
  /** Says "I did not start this". */
  'reports',
  'ignores',
  'has-no-device',
  /** Confirms on the one that is asked. */
  'has-two-devices',
] as const;
export type TestIntent = (typeof testIntents)[number];

const domain = '@omi.test';

/** The user id, which says what the user does. No others are test users. */
export const testUserId = (intent: TestIntent): string => `test+${intent}${domain}`;

export const testIntentOf = (userId: string): TestIntent | undefined =>
  testIntents.find((intent) => testUserId(intent) === userId);

/** Whether a JSON text names a test user. It may name none, and still be true: only a hint. */
export const mayNameTestUser = (json: string): boolean => json.includes(`${domain}"`);

/** `agent` of the events of test users. */
export const testAgent = 'omi-test';
