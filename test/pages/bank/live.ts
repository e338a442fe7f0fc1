import { readFile } from 'node:fs/promises';
import { afterEach, describe, expect, test } from '@jest/globals';
import { verifyEvidence } from '#website';
import { bodyOf } from '../../../tools/client/http.ts';
import { enrolDevice, push } from '../../contract/scenario.ts';
import { trustIn } from '../../support/service-keys.ts';
import type { TestStack } from '../../support/stack.ts';
import { LiveReader } from './live-reader.ts';
import { Visitor } from './visitor.ts';

const [anna, ben] = ['customer-2071', 'customer-4418'];
const payment = { action: 'payment', to: 'Café Zoë', amount: '5' };

const types = ({ events }: LiveReader): string[] => events.map(({ metadata }) => metadata?.type ?? '');

const statusOf = (answer: unknown): unknown => (Object(answer) as { status?: unknown }).status;

/** Those of the bank's clients, too. */
async function secretsOf(stack: TestStack): Promise<Record<string, string>> {
  const text = await readFile(`${stack.directory}/secrets.json`, 'utf8');
  return (JSON.parse(text) as { clientSecrets: Record<string, string> }).clientSecrets;
}

/** What the bank's page shows while it happens: calls of the website, and events of its tenant. */
export function live(stack: TestStack): void {
  const open: LiveReader[] = [];
  afterEach(() => {
    for (const reader of open.splice(0)) reader.close();
  });

  const listen = async ({ cookie }: Visitor, lastEventId?: number): Promise<LiveReader> => {
    const reader = await LiveReader.open(stack.file.siteUrl, cookie, lastEventId);
    open.push(reader);
    return reader;
  };

  const signedIn = async (userId: string): Promise<Visitor> => {
    const visitor = new Visitor(stack.file.siteUrl);
    await visitor.signIn(userId);
    return visitor;
  };

  const withPhone = async (userId: string) => {
    const visitor = await signedIn(userId);
    for (const { deviceId } of (await visitor.account()).devices)
      await stack.bank.removeDevice(userId, deviceId);
    const live = await listen(visitor);
    return { visitor, live, phone: await visitor.enrol('Phone') };
  };

  describe('the calls of the website', () => {
    test('are shown with their answers, in order', async () => {
      const { visitor, live, phone } = await withPhone(anna);
      const id = await visitor.confirm(phone, payment);
      await visitor.post('/bank/payments', { ...payment, 'omi-confirmation': id });
      await live.until(({ calls }) => calls.some(({ answer }) => statusOf(answer) === 'confirmed'));
      const asked = live.calls.find(({ method, path }) => method === 'POST' && path.includes('/omi/push/'));
      expect(asked).toMatchObject({
        at: expect.stringMatching(/Z$/),
        path: `/omi/push/user/${anna}/device/${phone.identity.deviceId}`,
        request: { message: 'Pay 5.00 € to Café Zoë?' },
        status: 202,
        answer: { status: 'pending' },
        ms: expect.any(Number),
      });
      const ids = live.messages.map((message) => message.id);
      expect(ids).toEqual(ids.toSorted((one, other) => one - other));
    });

    test('contain no token, secret or code, and the nonce only after the end', async () => {
      const { visitor, live, phone } = await withPhone(anna);
      const { id, deviceId } = (await visitor.ask(payment)).body;
      await visitor.call(`/step-up/confirmations/${id}`, { headers: { 'omi-page': '1' } });
      await live.until(({ calls }) => calls.some(({ answer }) => statusOf(answer) === 'pending'));
      const pending = JSON.stringify(live.messages);
      const [challenge] = bodyOf(await phone.challenges()).challenges;
      if (!challenge) throw new Error('Nothing to answer');
      bodyOf(await phone.confirm(challenge));
      await visitor.until(id, 'confirmed');
      await live.until(({ calls }) => calls.some(({ answer }) => statusOf(answer) === 'confirmed'));
      const { answer } = live.calls.find((call) => statusOf(call.answer) === 'confirmed') ?? {};
      const { nonce } = answer as { nonce: string };
      expect(nonce).toMatch(/^[\w-]{22}$/);
      expect(pending).not.toContain(nonce);
      const all = JSON.stringify(live.messages);
      expect(all).not.toMatch(/Bearer|Basic|access_token|client_credentials|authorization"/i);
      expect(all).not.toMatch(/code=(?!…)/);
      expect(all).toContain('code=…');
      for (const secret of Object.values(await secretsOf(stack))) expect(all).not.toContain(secret);
      expect(deviceId).toBe(phone.identity.deviceId);
    });

    test('end with the evidence, which the page can verify', async () => {
      const { visitor, live, phone } = await withPhone(anna);
      await visitor.confirm(phone, payment);
      await live.until(({ calls }) => calls.some(({ answer }) => statusOf(answer) === 'confirmed'));
      const { answer } = live.calls.find((call) => statusOf(call.answer) === 'confirmed') ?? {};
      const confirmation = answer as Parameters<typeof verifyEvidence>[0] & { nonce: string };
      const { nonce } = confirmation;
      const details = [{ type: 'payment', to: 'Café Zoë', amount: '5.00', currency: 'EUR' }];
      const question = { nonce, userId: anna, message: 'Pay 5.00 € to Café Zoë?', details };
      const asked = { ...question, ...(await trustIn(stack.file)) };
      await expect(verifyEvidence(confirmation, asked)).resolves.toMatchObject({ decision: 'confirm' });
    });

    test('are only those of this session, even if the user is the same', async () => {
      const { visitor, live, phone } = await withPhone(anna);
      const others = [await listen(await signedIn(anna)), await listen(await signedIn(ben))];
      await visitor.confirm(phone, payment);
      await live.until((reader) => types(reader).includes('PushNotificationConfirmedEvent'));
      const [sameUser, otherUser] = others;
      await sameUser?.until((reader) => types(reader).includes('PushNotificationConfirmedEvent'));
      expect(sameUser?.calls).toEqual([]);
      expect(otherUser?.messages).toEqual([]);
    });
  });

  describe('the events', () => {
    test("are read from the tenant's stream, only those of this user", async () => {
      const { visitor, live, phone } = await withPhone(anna);
      const stranger = await enrolDevice(stack.bank);
      await push(stack.bank, stranger);
      await visitor.confirm(phone, payment);
      // Only the events of one aggregate have an order: those of the confirmation, not the phone's among them.
      const expected = [
        'UserDeviceRegisteredEvent',
        'PushNotificationSentEvent',
        'PushNotificationConfirmedEvent',
      ];
      await live.until((reader) => expected.every((type) => types(reader).includes(type)));
      const ofConfirmation = types(live).filter((type) => type.startsWith('PushNotification'));
      expect(ofConfirmation.slice(-2)).toEqual(expected.slice(-2));
      expect(new Set(live.events.map(({ payload }) => payload?.userId))).toEqual(new Set([anna]));
    });

    test('are not shown if they are older than the sign-in', async () => {
      const { visitor, live, phone } = await withPhone(anna);
      await visitor.confirm(phone, payment);
      await live.until((reader) => types(reader).includes('PushNotificationConfirmedEvent'));
      const later = await signedIn(anna);
      const view = await listen(later);
      await later.confirm(phone, payment);
      await view.until((reader) => types(reader).includes('PushNotificationConfirmedEvent'));
      expect(types(view)).toEqual(['PushNotificationSentEvent', 'PushNotificationConfirmedEvent']);
    });

    test('are available later if they happen while nobody looks', async () => {
      const { visitor, live, phone } = await withPhone(ben);
      for (const reader of open.splice(0)) reader.close();
      await visitor.confirm(phone, payment);
      const again = await listen(visitor, live.messages.at(-1)?.id);
      await again.until((reader) => types(reader).includes('PushNotificationConfirmedEvent'));
      expect(types(again)).toContain('PushNotificationSentEvent');
    });
  });

  describe('a page that reconnects', () => {
    test('gets what it missed, and nothing twice', async () => {
      const { visitor, live } = await withPhone(anna);
      await live.until(({ events }) => events.length > 0);
      live.close();
      const last = live.messages.at(-1)?.id ?? 0;
      await visitor.account();
      const again = await listen(visitor, last);
      await again.until(({ calls }) => calls.length > 0);
      expect(again.messages.every(({ id }) => id > last)).toBe(true);
      expect(again.calls).toMatchObject([{ method: 'GET', path: `/omi/users/${anna}/devices` }]);
    });

    test('gets its whole session without a last id', async () => {
      const { visitor, live } = await withPhone(anna);
      await live.until(({ events }) => events.length > 0);
      const again = await listen(visitor);
      await again.until(({ messages }) => messages.length >= live.messages.length);
      expect(again.messages.slice(0, live.messages.length)).toEqual(live.messages);
    });
  });

  test('the view ends with the session', async () => {
    const { visitor, live } = await withPhone(ben);
    const { cookie } = visitor;
    await visitor.call('/bank/sign-out', { method: 'POST' });
    await live.until(({ ended }) => ended);
    await expect(LiveReader.open(stack.file.siteUrl, cookie)).rejects.toThrow('401');
  });
}
