/** The vectors are what their sources say, and what their sources say is deterministic. */
import { readdirSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { messageFile, messageKinds } from './vectors.ts';

test('every file is tested', () => {
  const files = readdirSync('packages/device/vectors').filter((name) => name.endsWith('.json'));
  const others = ['enrolment-link', 'evidence', 'message-hash'];
  expect(files.sort()).toEqual([...messageKinds, ...others].map((name) => `${name}.json`).sort());
});

test.each(messageKinds)('each vector of %s is another message with its own name', (kind) => {
  const { vectors } = messageFile(kind);
  expect(new Set(vectors.map(({ name }) => name)).size).toBe(vectors.length);
  const sent = vectors.map(
    ({ jws, challenge, enrolment, after, path, platform, passkey, userVerification }) =>
      JSON.stringify([jws, challenge, enrolment, after, path, platform, passkey, userVerification]),
  );
  expect(new Set(sent).size).toBe(vectors.length);
});

test.each(messageKinds)('%s shows header and claims as in the bytes', (kind) => {
  for (const { header, claims, jws, expected } of messageFile(kind).vectors) {
    if (expected.status >= 300) continue;
    const [headerText, claimsText] = jws.split('.').map((part) => Buffer.from(part, 'base64url').toString());
    expect([headerText, claimsText]).toEqual([JSON.stringify(header), JSON.stringify(claims)]);
  }
});
