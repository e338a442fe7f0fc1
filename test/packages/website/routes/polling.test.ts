import { describe, expect, test } from '@jest/globals';
import { EvidenceError } from '#website';
import { openChallenge } from '../../../contract/scenario.ts';
import { useSharedStack } from '../../../support/use-stack.ts';
import { slowStore } from './support/slow-store.ts';
import { afterIntervalMs, confirmed, signedIn } from './support/story.ts';
import { isPoll } from './support/test-website.ts';

const stack = useSharedStack();

describe('polls of the page', () => {
  test('are answered from the store within the interval', async () => {
    const { website, visitor } = await signedIn(stack);
    const id = await visitor.asked();
    for (let poll = 0; poll < 5; poll += 1)
      expect((await visitor.look(id)).body).toMatchObject({ status: 'pending', interval: 1 });
    expect(website.polls()).toBe(0);
    website.ahead += afterIntervalMs;
    for (let poll = 0; poll < 5; poll += 1) await visitor.look(id);
    expect(website.polls()).toBe(1);
  });

  test('cause one call to the service if they are concurrent', async () => {
    const { website, visitor } = await signedIn(stack, { store: slowStore() });
    const id = await visitor.asked();
    website.ahead += afterIntervalMs;
    const answers = await Promise.all(Array.from({ length: 20 }, async () => await visitor.look(id)));
    for (const { body } of answers) expect(body).toMatchObject({ status: 'pending' });
    expect(website.polls()).toBe(1);
  });

  test('count together on all servers of a website, even while one waits for the service', async () => {
    const [asked, release] = [Promise.withResolvers<undefined>(), Promise.withResolvers<undefined>()];
    const { website, visitor } = await signedIn(stack, {
      through: async (fetch, input, init) => {
        if (isPoll(input)) {
          asked.resolve(undefined);
          await release.promise;
        }
        return await fetch(input, init);
      },
    });
    const id = await visitor.asked();
    const other = website.another();
    const there = other.visitor(visitor.session.userId, visitor.session.id);
    website.ahead += afterIntervalMs;
    const first = visitor.look(id);
    await asked.promise;
    expect((await there.look(id)).body).toMatchObject({ status: 'pending' });
    release.resolve(undefined);
    await first;
    await there.look(id);
    expect([website.polls(), other.polls()]).toEqual([1, 0]);
  });

  test('cause no call to the service after the end of a confirmation', async () => {
    const story = await signedIn(stack);
    const id = await confirmed(story);
    const polls = story.website.polls();
    for (let minute = 0; minute < 5; minute += 1) {
      story.website.ahead += 60_000;
      expect((await story.visitor.look(id)).body).toMatchObject({ status: 'confirmed' });
    }
    expect(story.website.polls()).toBe(polls);
  });

  test('contain the remaining time, by the clock of the website', async () => {
    const { website, visitor } = await signedIn(stack);
    website.ahead += 3_600_000;
    const { body } = await visitor.ask({ amount: '1', expiresIn: 60 });
    expect(body['expiresInMs']).toBeGreaterThan(50_000);
    expect(body['expiresInMs']).toBeLessThanOrEqual(60_000);
    website.ahead += 20_000;
    const look = await visitor.look(String(body['id']));
    expect(look.body['expiresInMs']).toBeGreaterThan(30_000);
    expect(look.body['expiresInMs']).toBeLessThanOrEqual(40_000);
  });

  test('pause as long as the service demands in a refusal', async () => {
    let isBusy = true;
    const { website, visitor } = await signedIn(stack, {
      through: async (fetch, input, init) => {
        if (!isPoll(input) || !isBusy) return await fetch(input, init);
        return Response.json(
          { message: 'Too Many Requests' },
          { status: 429, headers: { 'retry-after': '9' } },
        );
      },
    });
    const id = await visitor.asked();
    website.ahead += afterIntervalMs;
    const busy = await visitor.look(id);
    expect(busy).toMatchObject({ status: 503, body: { code: 'temporarily-unavailable' } });
    expect(busy.headers.get('retry-after')).toBe('9');
    isBusy = false;
    const polls = website.polls();
    website.ahead += 8_000;
    expect((await visitor.look(id)).body).toMatchObject({ status: 'pending', interval: 9 });
    expect(website.polls()).toBe(polls);
    website.ahead += 2_000;
    expect((await visitor.look(id)).body).toMatchObject({ status: 'pending', interval: 1 });
    expect(website.polls()).toBe(polls + 1);
  });
});

describe('evidence that does not prove the question', () => {
  test.each([
    ['is missing', 'missing', { evidence: undefined }],
    ['has no key', 'missing', { deviceKey: undefined }],
    ['is changed', 'malformed', { evidence: 'e30.e30' }],
  ])('%s: the page gets a failure, and nothing is allowed', async (_, code, lie) => {
    const { website, visitor, phone } = await signedIn(stack, {
      through: async (fetch, input, init) => {
        const response = await fetch(input, init);
        if (!isPoll(input)) return response;
        return Response.json({ ...((await response.json()) as object), ...lie });
      },
    });
    const id = await visitor.asked();
    await phone.confirm(await openChallenge(phone));
    website.ahead += afterIntervalMs;
    const failed = { id, status: 'failed', reason: 'evidence_invalid', code };
    expect((await visitor.look(id)).body).toMatchObject(failed);
    expect((await visitor.look(id)).body).toMatchObject(failed);
    await expect(visitor.act(id)).rejects.toMatchObject({ name: 'Denied', code: 'not-confirmed' });
    expect(website.errors).toEqual([expect.any(EvidenceError)]);
  });

  test('proves another message, and allows nothing', async () => {
    const other = await signedIn(stack);
    const otherId = await confirmed(other, { amount: '1' });
    const evidence = await other.visitor.act(otherId, { amount: '1' });
    const { website, visitor, phone } = await signedIn(stack, {
      through: async (fetch, input, init) => {
        const response = await fetch(input, init);
        if (!isPoll(input)) return response;
        const { confirmation } = evidence;
        return Response.json({ ...((await response.json()) as object), evidence: confirmation.evidence });
      },
    });
    const id = await visitor.asked();
    await phone.confirm(await openChallenge(phone));
    website.ahead += afterIntervalMs;
    expect((await visitor.look(id)).body).toMatchObject({ status: 'failed', reason: 'evidence_invalid' });
  });
});

describe('a withdrawal', () => {
  test('cancels, and may be repeated', async () => {
    const { website, visitor, phone } = await signedIn(stack);
    const id = await visitor.asked();
    expect((await visitor.withdraw(id)).status).toBe(204);
    expect((await visitor.withdraw(id)).status).toBe(204);
    const { body } = await visitor.look(id);
    expect(body).toMatchObject({ status: 'cancelled', reason: 'withdrawn' });
    expect(website.calls.filter((call) => call === 'DELETE /omi/push/confirmation')).toHaveLength(1);
    await visitor.asked();
    await phone.deny(await openChallenge(phone));
  });

  test('of all that the website has open for the user frees the device', async () => {
    const { visitor, phone } = await signedIn(stack);
    const id = await visitor.asked();
    const next = await visitor.call('POST', '/omi/confirmations');
    expect(next).toMatchObject({ status: 409, body: { code: 'confirmation-pending' } });
    expect((await visitor.call('DELETE', '/omi/confirmations')).status).toBe(204);
    const again = await visitor.asked();
    await phone.confirm(await openChallenge(phone));
    expect(again).not.toBe(id);
  });

  test('is too late if the user has decided', async () => {
    const { website, visitor, phone } = await signedIn(stack);
    const id = await visitor.asked();
    await phone.confirm(await openChallenge(phone));
    const late = { status: 409, body: { code: 'already-decided' } };
    await expect(visitor.withdraw(id)).resolves.toMatchObject(late);
    website.ahead += afterIntervalMs;
    await visitor.look(id);
    const { length } = website.calls;
    await expect(visitor.withdraw(id)).resolves.toMatchObject(late);
    expect(website.calls).toHaveLength(length);
  });
});
