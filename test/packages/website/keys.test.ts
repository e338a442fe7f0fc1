/** The service's keys: how `Omi` loads and keeps them. */
import { expect, test } from '@jest/globals';
import { EvidenceError, Omi, OmiError, type OmiKeys } from '#website';
import { asked, confirmation, omiKeys } from './support/evidence.ts';

const minutes = 60_000;
const none: OmiKeys = { keys: [] };

/** A website whose service publishes these documents, one after the other, and then the last one. */
function websiteWith(...documents: unknown[]) {
  const requests: { url: string; authorization: string | null }[] = [];
  const clock = { now: 0 };
  const answers = [...documents];
  const fetch: typeof globalThis.fetch = async (url, init) => {
    const authorization = new Headers(init?.headers).get('authorization');
    requests.push({ url: url instanceof Request ? url.url : String(url), authorization });
    return await Promise.resolve(Response.json(answers.length > 1 ? answers.shift() : answers[0]));
  };
  const { baseUrl } = asked;
  const token = async (): Promise<string> => await Promise.resolve('t');
  const omi = new Omi({ baseUrl, token, fetch, now: () => clock.now });
  const verify = async (): Promise<unknown> =>
    await omi.verifyEvidence(confirmation(), asked).then(
      ({ decision }) => decision,
      (error: unknown) => (error instanceof EvidenceError || error instanceof OmiError ? error.code : error),
    );
  return { requests, clock, verify };
}

test('the keys are loaded once, without credentials, and kept for 5 minutes', async () => {
  const { requests, clock, verify } = websiteWith(omiKeys);
  expect(await verify()).toBe('confirm');
  clock.now += 5 * minutes;
  expect(await verify()).toBe('confirm');
  expect(requests).toEqual([{ url: `${asked.baseUrl}/.well-known/omi-keys`, authorization: null }]);
  clock.now += 1;
  expect(await verify()).toBe('confirm');
  expect(requests).toHaveLength(2);
});

test('concurrent checks share a load', async () => {
  const { requests, verify } = websiteWith(omiKeys);
  expect(await Promise.all([verify(), verify(), verify()])).toEqual(['confirm', 'confirm', 'confirm']);
  expect(requests).toHaveLength(1);
});

test('a new key causes one more load', async () => {
  const { requests, clock, verify } = websiteWith(none, omiKeys);
  expect(await verify()).toBe('receipt-key');
  clock.now += 1000;
  expect(await verify()).toBe('confirm');
  expect(requests).toHaveLength(2);
});

test('a key that is still unknown is refused', async () => {
  const { requests, verify } = websiteWith(none);
  for (let round = 1; round <= 3; round += 1) {
    expect(await verify()).toBe('receipt-key');
    expect(requests).toHaveLength(round);
  }
});

test.each([
  ['null', null],
  ['not a list', { keys: {} }],
  ['a key without its use', { keys: [{ ...omiKeys.keys[0], for: undefined }] }],
])('malformed keys are reported: %s', async (_, document) => {
  expect(await websiteWith(document).verify()).toBe('unexpected-answer');
});
