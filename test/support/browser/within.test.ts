import { describe, expect, test } from '@jest/globals';
import { within } from './within.ts';

describe('a wait in a browser', () => {
  test('ends when the expected event arrives', async () => {
    await expect(within('A thing', Promise.resolve(7))).resolves.toBe(7);
  });

  test('ends if it never arrives, and names what is missing', async () => {
    const never = new Promise<never>(() => undefined);
    await expect(within('The notification', never, 5)).rejects.toThrow('The notification: not within 5 ms');
  });
});
