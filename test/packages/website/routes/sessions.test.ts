import { describe, expect, test } from '@jest/globals';
import type { Session } from '#website';
import { newId } from '../../../../packages/website/src/routes/ids.ts';
import { openChallenge } from '../../../contract/scenario.ts';
import { useSharedStack } from '../../../support/use-stack.ts';
import { confirmed, signedIn } from './support/story.ts';
import { TestWebsite, websiteOrigin } from './support/test-website.ts';
import type { Visitor } from './support/visitor.ts';

const stack = useSharedStack();

const unknown = { status: 404, body: { code: 'confirmation-not-found' } };

async function expectNothingFor(stranger: Visitor, id: string): Promise<void> {
  await expect(stranger.look(id)).resolves.toMatchObject(unknown);
  await expect(stranger.withdraw(id)).resolves.toMatchObject(unknown);
  await expect(stranger.act(id)).rejects.toMatchObject({ name: 'Denied', code: 'confirmation-unknown' });
}

describe('a confirmation belongs to the session and the user that asked', () => {
  test('another user in another session cannot poll, withdraw or use it', async () => {
    const story = await signedIn(stack);
    const { website, visitor, phone } = story;
    const stranger = website.visitor('mallory');
    const pending = await visitor.asked();
    await expectNothingFor(stranger, pending);
    await phone.confirm(await openChallenge(phone));
    await expectNothingFor(stranger, pending);
    website.ahead += 2000;
    await expect(visitor.look(pending)).resolves.toMatchObject({ body: { status: 'confirmed' } });
    await expectNothingFor(stranger, pending);
    await expect(visitor.act(pending)).resolves.toMatchObject({ message: 'Pay 20 €?' });
  });

  test('another session of the same user cannot use it', async () => {
    const story = await signedIn(stack);
    const id = await confirmed(story);
    await expectNothingFor(story.website.visitor(story.visitor.session.userId), id);
  });

  test('another user with the same session id, kept over a sign-in, cannot use it', async () => {
    const story = await signedIn(stack);
    const id = await confirmed(story);
    await expectNothingFor(story.website.visitor('mallory', story.visitor.session.id), id);
  });

  test('session id and user cannot be shifted into each other', async () => {
    const story = await signedIn(stack);
    const { id: sessionId, userId } = story.visitor.session;
    const id = await confirmed(story);
    for (const [session, user] of [
      [`${sessionId}${userId.slice(0, 1)}`, userId.slice(1)],
      [sessionId.slice(0, -1), `${sessionId.slice(-1)}${userId}`],
    ] as const)
      await expectNothingFor(story.website.visitor(user, session), id);
  });

  test('a forged id finds nothing, and causes no call to the service', async () => {
    const { website, visitor } = await signedIn(stack);
    await expectNothingFor(visitor, newId());
    expect(website.calls).toEqual([]);
  });

  test.each(['', 'x', '%00', '..', '__proto__', 'a'.repeat(21), 'a'.repeat(5000), '*', 'a'.repeat(21) + '='])(
    'the store is not asked for the invalid id %j',
    async (id) => {
      const { website, visitor } = await signedIn(stack);
      for (const kind of ['confirmations', 'enrolments'])
        // An empty id, and dots, are other paths.
        expect([404, 405]).toContain((await visitor.call('GET', `/omi/${kind}/${id}`)).status);
      await expect(visitor.act(id)).rejects.toMatchObject({ name: 'Denied' });
      expect([website.read, website.calls]).toEqual([[], []]);
    },
  );

  test('a key of the store is not an id', async () => {
    const story = await signedIn(stack);
    await confirmed(story);
    const { website, visitor } = story;
    for (const [key] of website.stored) {
      expect((await visitor.look(encodeURIComponent(key))).status).toBe(404);
      await expect(visitor.act(key)).rejects.toMatchObject({ code: 'confirmation-unknown' });
    }
  });
});

describe('a session that names no user', () => {
  test.each([[undefined], [null]])('%s: the action is refused, as the page is', async (nobody) => {
    const website = new TestWebsite(stack);
    const action = new Request(`${websiteOrigin}/pay`, { method: 'POST' });
    await expect(website.routes.consume(action, nobody)).rejects.toMatchObject({
      name: 'Denied',
      code: 'signed-out',
      status: 401,
    });
  });

  test.each([
    ['userId', { id: 's-1', userId: undefined }, 'undefined'],
    ['userId', { id: 's-1', userId: 42 }, 'number'],
    ['userId', { id: 's-1', userId: '' }, 'string'],
    ['id', { id: undefined, userId: 'u-1' }, 'undefined'],
  ])('a %s such as in %j is a fault that the website is told of, and no user', async (name, given, type) => {
    const session = given as Session;
    const website = new TestWebsite(stack, { session: () => session });
    const fault = { message: `The session's ${name} must be a text that is not empty; its type is ${type}.` };
    const visitor = website.visitor('nobody');
    expect(await visitor.ask()).toMatchObject({ status: 500, body: { code: 'internal-error' } });
    expect(website.errors).toEqual([expect.objectContaining(fault)]);
    expect(website.calls).toEqual([]);
    const action = new Request(`${websiteOrigin}/pay`, { method: 'POST' });
    await expect(website.routes.consume(action, session)).rejects.toMatchObject(fault);
  });
});
