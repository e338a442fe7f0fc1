import type { Context } from 'aws-lambda';
import { expect, test } from '@jest/globals';
import type { ApiEvent } from '../../../core/http/api-event.ts';
import type { PublishedKey } from '../../../core/keys/published-key.ts';
import { createHandler } from '../../../lambdas/oauth-jwks/handler.ts';
import { receiptJwk } from '../../support/receipts.ts';

const now = Date.now();
const keyOf = (kid: string, parts: Partial<PublishedKey> = {}): PublishedKey => ({
  ...{ for: 'token', from: now - 1_000, jwk: { ...receiptJwk, kid } },
  ...parts,
});

async function kidsOf(...recorded: PublishedKey[]): Promise<string[]> {
  const handler = createHandler({ keys: { list: async () => await Promise.resolve(recorded) } });
  const { body = '' } = await handler({} as ApiEvent, {} as Context);
  return (JSON.parse(body) as { keys: { kid: string }[] }).keys.map(({ kid }) => kid);
}

test('the set has each key that the stage names for tokens, whatever their order', async () => {
  expect(await kidsOf(keyOf('next'), keyOf('current'))).toEqual(['next', 'current']);
});

test('the set has neither a key that the stage no longer names nor one that signs something else', async () => {
  const removed = keyOf('removed', { until: now + 60_000 });
  expect(await kidsOf(removed, keyOf('current'), keyOf('receipts', { for: 'receipt' }))).toEqual(['current']);
});
