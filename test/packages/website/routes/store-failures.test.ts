import { describe, expect, test } from '@jest/globals';
import { memoryStore, type Store } from '#website';
import { openChallenge } from '../../../contract/scenario.ts';
import { useSharedStack } from '../../../support/use-stack.ts';
import { afterIntervalMs, confirmed, signedIn } from './support/story.ts';

const stack = useSharedStack();

/** A store of which some calls fail. */
function failingStore() {
  const store = memoryStore();
  let fails: (call: keyof Store, key: string) => boolean = () => false;
  const check = (call: keyof Store, key: string): void => {
    if (fails(call, key)) throw new Error(`the store cannot ${call}`);
  };
  const failing: Store = {
    put: async (key, ...rest) => {
      check('put', key);
      await store.put(key, ...rest);
    },
    get: async (key) => {
      check('get', key);
      return await store.get(key);
    },
    take: async (key) => {
      check('take', key);
      return await store.take(key);
    },
  };
  return { store: failing, failIf: (rule: typeof fails) => (fails = rule) };
}

const internalError = { status: 500, body: { code: 'internal-error' } };

describe('a failure of the store', () => {
  test('prevents a question that is not sent yet', async () => {
    const { store, failIf } = failingStore();
    const { website, visitor } = await signedIn(stack, { store });
    failIf((call) => call === 'put');
    expect(await visitor.ask()).toMatchObject(internalError);
    expect(website.calls.filter((call) => call.startsWith('POST'))).toEqual([]);
    expect(website.errors).toContainEqual(new Error('the store cannot put'));
  });

  test('withdraws a question that was sent', async () => {
    const { store, failIf } = failingStore();
    const { visitor, phone } = await signedIn(stack, { store });
    failIf((call, key) => call === 'put' && key.startsWith('omi:schedule:'));
    expect(await visitor.ask()).toMatchObject(internalError);
    failIf(() => false);
    // The phone is free for the next question.
    await visitor.asked();
    await phone.deny(await openChallenge(phone));
  });

  test('leaves the result to the next poll', async () => {
    const { store, failIf } = failingStore();
    const { website, visitor, phone } = await signedIn(stack, { store });
    const id = await visitor.asked();
    await phone.confirm(await openChallenge(phone));
    failIf((call, key) => call === 'put' && key.startsWith('omi:result:'));
    website.ahead += afterIntervalMs;
    expect(await visitor.look(id)).toMatchObject(internalError);
    failIf(() => false);
    website.ahead += afterIntervalMs;
    expect((await visitor.look(id)).body).toMatchObject({ status: 'confirmed' });
    await expect(visitor.act(id)).resolves.toBeDefined();
  });

  test.each(['get', 'take'] as const)('allows nothing at the %s of a confirmation', async (broken) => {
    const { store, failIf } = failingStore();
    const story = await signedIn(stack, { store });
    const id = await confirmed(story);
    failIf((call) => call === broken);
    await expect(story.visitor.act(id)).rejects.toThrow(`the store cannot ${broken}`);
    failIf(() => false);
    await expect(story.visitor.act(id)).resolves.toBeDefined();
    await expect(story.visitor.act(id)).rejects.toMatchObject({ name: 'Denied' });
  });
});

describe('a store', () => {
  test('may answer null for a missing value', async () => {
    const inside = memoryStore();
    const store: Store = {
      ...inside,
      get: async (key) => (await inside.get(key)) ?? null,
      take: async (key) => (await inside.take(key)) ?? null,
    };
    const story = await signedIn(stack, { store });
    const id = await confirmed(story);
    await expect(story.visitor.act(id)).resolves.toBeDefined();
    await expect(story.visitor.act(id)).rejects.toMatchObject({ code: 'confirmation-unknown' });
  });

  test('loses the confirmation if it forgets too early, and allows nothing', async () => {
    const story = await signedIn(stack, { store: memoryStore({ maxEntries: 4 }) });
    const id = await confirmed(story);
    await story.visitor.call('POST', '/omi/enrolments');
    await story.visitor.call('POST', '/omi/enrolments');
    await story.visitor.call('POST', '/omi/enrolments');
    await expect(story.visitor.act(id)).rejects.toMatchObject({ code: 'confirmation-unknown' });
  });
});
