import { randomBytes } from 'node:crypto';
import { describe, expect, jest, test } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { type Announcements, memoryStore, newNonce, Omi, type RoutesOptions } from '#website';
import { bodyOf } from '../../../../client/http.ts';
import { openChallenge } from '../../../contract/scenario.ts';
import { useSharedStack } from '../../../support/use-stack.ts';
import { signedIn } from './support/story.ts';
import type { TestWebsite } from './support/test-website.ts';

const stack = useSharedStack();

const newSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`;
const callbackSecret = newSecret();

type Data = Record<string, unknown>;

/** What the service has of the website's last question, as its callback tells it. */
async function lastConfirmation(website: TestWebsite): Promise<Data> {
  const confirmation = bodyOf(await stack.website.getConfirmation(website.nonces().at(-1) ?? ''));
  return without(confirmation, ['nonce', 'matchCode']);
}

const without = (members: object, names: readonly string[]): Data =>
  Object.fromEntries(Object.entries(members).filter(([name]) => !names.includes(name)));

type Signing = { secret?: string; at?: Date; body?: string };

/** Signed by the library that the standard names. */
function callback(data: Data, { secret = callbackSecret, at = new Date(), body }: Signing = {}) {
  const text = JSON.stringify({
    type: `confirmation.${String(data['status'])}`,
    timestamp: at.toISOString(),
    data,
  });
  const id = 'msg_1';
  return new Request('https://bank.example/omi/callback', {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
      'webhook-signature': new Webhook(secret).sign(id, at, text),
    },
    body: body ?? text,
  });
}

async function answered(options: Partial<RoutesOptions> = {}) {
  const story = await signedIn(stack, { callbackSecret, ...options });
  const id = await story.visitor.asked();
  await story.phone.confirm(await openChallenge(story.phone));
  return { ...story, id, data: await lastConfirmation(story.website) };
}

describe('a callback', () => {
  test('brings the result without a call to the service', async () => {
    const { website, visitor, id, data } = await answered();
    website.ahead += 5_000;
    expect((await visitor.look(id)).body).toMatchObject({ status: 'pending', interval: 1 });
    expect(await visitor.send(callback(data))).toMatchObject({ status: 204, text: '' });
    expect((await visitor.look(id)).body).toMatchObject({ status: 'confirmed' });
    await expect(visitor.act(id)).resolves.toMatchObject({
      confirmation: { nonce: website.nonces().at(-1), evidence: data['evidence'] },
    });
    expect(website.polls()).toBe(0);
    expect(website.errors).toEqual([]);
  });

  test('is told to a page that waits, on whichever server it came', async () => {
    for (const isSame of [true, false]) {
      const { website, visitor, id, data } = await answered();
      const waiting = visitor.look(id, 10);
      const server = isSame ? website : website.another({ callbackSecret });
      await server.routes(callback(data));
      expect((await waiting).body).toMatchObject({ status: 'confirmed' });
      expect(website.polls()).toBe(0);
    }
  });

  test('is told at once to a page that waits at another server, if the store announces it', async () => {
    const listeners = new Set<(id: string) => void>();
    const announcements: Announcements = {
      announce: async (id) => {
        await Promise.resolve();
        for (const heard of listeners) heard(id);
      },
      listen: async (heard, signal) => {
        await Promise.resolve();
        listeners.add(heard);
        signal.addEventListener('abort', () => listeners.delete(heard));
      },
    };
    const store = { ...memoryStore(), announcements };
    const { website, visitor, id, data } = await answered({ store });
    expect(listeners.size).toBe(0);
    // No pause ends: nothing but the announcement makes it look again.
    jest.useFakeTimers({ doNotFake: ['Date', 'performance', 'nextTick', 'queueMicrotask', 'setImmediate'] });
    try {
      const waiting = visitor.look(id, 10);
      await website.another({ callbackSecret, store }).routes(callback(data));
      expect((await waiting).body).toMatchObject({ status: 'confirmed' });
    } finally {
      jest.useRealTimers();
    }
    expect(listeners.size).toBe(0);
    expect(website.polls()).toBe(0);
  });

  test('is waited for as long as the page and the website say, and the page then asks again at once', async () => {
    const { visitor, phone } = await signedIn(stack, { callbackSecret });
    const { body } = await visitor.ask();
    expect(body['interval']).toBe(0);
    const looked = await visitor.look(String(body['id']), 1);
    expect(looked.body).toMatchObject({ status: 'pending', interval: 0 });
    await phone.deny(await openChallenge(phone));
    for (const options of [{}, { callbackSecret, longPollSeconds: 0 }]) {
      const other = await signedIn(stack, options);
      const { body: asked } = await other.visitor.ask();
      expect(asked['interval']).toBe(1);
      const { body: at } = await other.visitor.look(String(asked['id']), 10);
      expect(at).toMatchObject({ status: 'pending', interval: 1 });
    }
  });

  test('ends the pause of a confirm that waits for it', async () => {
    const { website, phone } = await signedIn(stack, { callbackSecret });
    const { baseUrl, tokenUrl, tenants } = stack.file;
    const pausing = Promise.withResolvers<undefined>();
    const sleep = async (_: number, signal?: AbortSignal): Promise<void> => {
      pausing.resolve(undefined);
      await new Promise((_resolve, reject) => signal?.addEventListener('abort', reject));
    };
    const omi = new Omi({ baseUrl, tokenUrl, ...tenants[0], callbackSecret, sleep });
    const nonce = newNonce();
    const asking = omi.confirm({ userId: phone.identity.userId, message: 'Pay 5 €?', nonce });
    await pausing.promise;
    await phone.confirm(await openChallenge(phone));
    const confirmation = bodyOf(await stack.website.getConfirmation(nonce));
    await omi.verifyCallback(callback(without(confirmation, ['nonce', 'matchCode'])));
    expect((await asking).status).toBe('confirmed');
    expect(website.errors).toEqual([]);
  });

  test('is replaced by polls when it does not arrive: after 30 s, and at the expiry', async () => {
    const { website, visitor, id } = await answered();
    // Not 29, as a busy machine takes its time between two lines.
    website.ahead += 15_000;
    expect((await visitor.look(id)).body).toMatchObject({ status: 'pending' });
    expect(website.polls()).toBe(0);
    website.ahead += 16_000;
    expect((await visitor.look(id)).body).toMatchObject({ status: 'confirmed' });
    expect(website.polls()).toBe(1);
  });

  test.each<[what: string, signing: Signing]>([
    ['signed with a wrong secret', { secret: newSecret() }],
    ['changed', { body: '{}' }],
    ['old', { at: new Date(Date.now() - 600_000) }],
    ['too large', { body: 'x'.repeat(64 * 1024 + 1) }],
  ])('changes nothing if it is %s', async (_, signing) => {
    const { website, visitor, id, data } = await answered();
    const refused = await visitor.send(callback(data, signing));
    expect(refused).toMatchObject({ status: 400, body: { code: 'invalid-callback' } });
    expect((await visitor.look(id)).body).toMatchObject({ status: 'pending' });
    expect(website.errors).toEqual([expect.objectContaining({ code: 'invalid-callback' })]);
  });

  test('changes nothing without a signature', async () => {
    const { visitor, id, data } = await answered();
    const request = callback(data);
    request.headers.delete('webhook-signature');
    expect((await visitor.send(request)).status).toBe(400);
    expect((await visitor.look(id)).body).toMatchObject({ status: 'pending' });
  });

  test('allows nothing with evidence of something else, whoever signed it', async () => {
    const [one, other] = [await answered(), await answered()];
    const { evidence } = other.data;
    await one.visitor.send(callback({ ...one.data, evidence }));
    expect((await one.visitor.look(one.id)).body).toMatchObject({
      status: 'failed',
      reason: 'evidence_invalid',
    });
    await expect(one.visitor.act(one.id)).rejects.toMatchObject({ code: 'not-confirmed' });
  });

  test('changes nothing when it is repeated, even after the confirmation was used', async () => {
    const { visitor, id, data } = await answered();
    await visitor.send(callback(data));
    expect((await visitor.send(callback(data))).status).toBe(204);
    await visitor.act(id);
    expect((await visitor.send(callback(data))).status).toBe(204);
    await expect(visitor.act(id)).rejects.toMatchObject({ code: 'confirmation-unknown' });
    await expect(visitor.look(id)).resolves.toMatchObject({ status: 404 });
  });

  test('does not change a result if it is out of order', async () => {
    const { visitor, id, data } = await answered();
    await visitor.send(callback(data));
    for (const status of ['pending', 'denied', 'expired', 'cancelled']) {
      await visitor.send(callback({ ...without(data, ['evidence']), status }));
      expect((await visitor.look(id)).body).toMatchObject({ status: 'confirmed' });
    }
  });

  test('does not turn a denial into a confirmation', async () => {
    const { website, visitor, phone } = await signedIn(stack, { callbackSecret });
    const id = await visitor.asked();
    await phone.deny(await openChallenge(phone));
    const data = await lastConfirmation(website);
    await visitor.send(callback(data));
    await visitor.send(callback({ ...data, status: 'confirmed' }));
    expect((await visitor.look(id)).body).toMatchObject({ status: 'denied', reason: 'user_declined' });
  });

  test('has no effect while it is `pending`', async () => {
    const { visitor, id, data } = await answered();
    await visitor.send(callback({ ...data, status: 'pending' }));
    expect((await visitor.look(id)).body).toMatchObject({ status: 'pending' });
  });

  test('is accepted and dropped if the website does not know its confirmation', async () => {
    const { visitor, website } = await answered();
    const { data } = await answered();
    const { length } = website.stored;
    expect((await visitor.send(callback(data))).status).toBe(204);
    expect(website.stored).toHaveLength(length);
  });

  test('needs no session and no header of the page, and is a POST', async () => {
    const { visitor, data } = await answered();
    expect((await visitor.send(callback(data))).status).toBe(204);
    expect((await visitor.call('GET', '/omi/callback')).headers.get('allow')).toBe('POST');
  });

  test('has no route without a secret', async () => {
    const { visitor } = await signedIn(stack);
    expect((await visitor.send(callback({}))).status).toBe(404);
  });
});
