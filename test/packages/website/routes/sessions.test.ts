import { describe, expect, test } from '@jest/globals';
import { newId } from '../../../../packages/website/src/routes/ids.ts';
import { openChallenge } from '../../../contract/scenario.ts';
import { useSharedStack } from '../../../support/use-stack.ts';
import { confirmed, signedIn } from './support/story.ts';
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
