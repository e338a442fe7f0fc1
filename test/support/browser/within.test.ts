import { describe, expect, test } from '@jest/globals';
import { within } from './within.ts';

describe('a wait in a browser', () => {
  test('ends with what it waits for', async () => {
    await expect(within('A thing', Promise.resolve(7))).resolves.toBe(7);
  });

  test('ends also if it never comes, and says what did not', async () => {
    const never = new Promise<never>(() => undefined);
    await expect(within('The notification', never, 5)).rejects.toThrow('The notification: not within 5 ms');
  });
});
