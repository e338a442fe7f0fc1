import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { accepting, answering, Receiver } from '../../support/receiver.ts';
import type { TestStack } from '../../support/stack.ts';
import { jsonOn, omiOn } from '../omi.ts';
import { newTenant } from './tenants.ts';

type Made = { clientId: string; callbackSecret: string };
type Shown = { callback: { state: string; since: string; waiting: number; lastTest?: object } };

/** What an operator does about callbacks. */
export function testCallbacks(stack: TestStack): void {
  const omi = omiOn(stack);
  const json = jsonOn(stack);
  let receiver: Receiver;
  let made: Made;
  beforeAll(async () => void (receiver = await Receiver.start()));
  afterAll(async () => await receiver.close());
  beforeEach(async () => {
    receiver.behave = accepting;
    receiver.calls.length = 0;
    const create = ['client', 'create', await newTenant(stack), '--name', 'website', '--scope', 'all'];
    made = await json<Made>(...create, '--callback-url', receiver.url);
  });
  const testCall = async (...args: string[]) =>
    await omi(['--json', 'client', 'test-callback', made.clientId, ...args]);
  const show = async () => await json<Shown>('client', 'show', made.clientId);

  test('are signed by every valid secret, and the result is shown', async () => {
    const { callbackSecret: second } = await json<Made>('client', 'rotate', made.clientId, '--callback');
    const { code, out } = await testCall();

    expect({ code, result: JSON.parse(out) as unknown }).toEqual({
      code: 0,
      result: {
        ...{ clientId: made.clientId, url: receiver.url, state: 'active', since: expect.any(String) },
        lastTest: { at: expect.any(String), succeeded: true, reason: 'It answered with HTTP 204.' },
      },
    });
    const [{ text, headers } = { text: '', headers: {} }, ...others] = receiver.calls;
    expect(others).toEqual([]);
    for (const secret of [made.callbackSecret, second])
      expect(() => new Webhook(secret).verify(text, headers)).not.toThrow();
    expect((await show()).callback).toMatchObject({ waiting: 0, lastTest: { succeeded: true } });
  });

  test('say why they fail, and change nothing else', async () => {
    const { since } = (await show()).callback;
    receiver.behave = answering(500);
    const { code, out, err } = await testCall();
    expect({ code, result: JSON.parse(out) as unknown }).toMatchObject({
      code: 1,
      result: { state: 'active', lastTest: { succeeded: false, reason: 'It answered with HTTP 500.' } },
    });
    expect(err).toContain('The test call failed.');
    expect((await show()).callback).toMatchObject({ state: 'active', since });
  });
}
