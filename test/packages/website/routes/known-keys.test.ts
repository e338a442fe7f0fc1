import { expect, test } from '@jest/globals';
import { listed, openChallenge } from '../../../contract/scenario.ts';
import { useSharedStack } from '../../../support/use-stack.ts';
import { afterIntervalMs, confirmed, signedIn } from './support/story.ts';

const stack = useSharedStack();

test('only the keys that the website stored since the enrolment can confirm', async () => {
  const known = new Map<string, string[]>();
  const story = await signedIn(stack, { knownKeys: (userId) => known.get(userId) });
  const { website, visitor, phone } = story;
  const { userId } = phone.identity;
  // Of a user whose keys were not kept, the receipt is enough.
  await confirmed(story);
  known.set(userId, [(await listed(stack.website, phone)).keyThumbprint]);
  await confirmed(story);
  known.set(userId, ['another']);
  const id = await visitor.asked();
  await phone.confirm(await openChallenge(phone));
  website.ahead += afterIntervalMs;
  const refused = { status: 'failed', reason: 'evidence_invalid', code: 'unknown-key' };
  expect((await visitor.look(id)).body).toMatchObject(refused);
});
