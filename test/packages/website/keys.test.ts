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

test('a key that is still unknown is refused, with one load in 30 seconds', async () => {
  const { requests, clock, verify } = websiteWith(none);
  expect(await Promise.all(Array.from({ length: 3 }, verify))).toEqual(Array(3).fill('receipt-key'));
  for (let round = 0; round < 3; round += 1) expect(await verify()).toBe('receipt-key');
  expect(requests).toHaveLength(2);
  clock.now += 30_000;
  for (let round = 0; round < 3; round += 1) expect(await verify()).toBe('receipt-key');
  expect(requests).toHaveLength(3);
});

test('a known key is good for a day while the keys cannot be loaded, with one load in 30 seconds', async () => {
  const { requests, clock, verify } = websiteWith(omiKeys, null);
  expect(await verify()).toBe('confirm');
  clock.now += 24 * 60 * minutes;
  for (let round = 0; round < 3; round += 1) expect(await verify()).toBe('confirm');
  expect(requests).toHaveLength(2);
  clock.now += 1;
  expect(await verify()).toBe('unexpected-answer');
  clock.now += 30_000;
  expect(await verify()).toBe('unexpected-answer');
  expect(requests).toHaveLength(3);
});

test('a key that may be new is not refused while the keys cannot be loaded', async () => {
  const { clock, verify } = websiteWith(none, null);
  expect(await verify()).toBe('receipt-key');
  for (let round = 0; round < 2; round += 1) {
    clock.now += 1000;
    expect(await verify()).toBe('unexpected-answer');
  }
});

test.each([
  ['null', null],
  ['not a list', { keys: {} }],
  ['a key without its use', { keys: [{ ...omiKeys.keys[0], for: undefined }] }],
])('malformed keys are reported: %s', async (_, document) => {
  expect(await websiteWith(document).verify()).toBe('unexpected-answer');
});
