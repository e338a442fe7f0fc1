/** The published vectors: every check of the evidence, each with a confirmation that fails it alone. */
import { createPublicKey, verify } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { EvidenceError, verifyEvidence } from '#website';
import { hasPython, runWithExamples } from '../../docs/tenants/programs.ts';
import { evidenceFile, vectorNamed, type EvidenceVector } from './evidence-vectors.ts';

const { baseUrl, userId, keys, vectors } = evidenceFile;

const codeOf = async (vector: EvidenceVector): Promise<string | undefined> => {
  const { confirmation, asked, options } = vector;
  const known = { ...asked, userId, baseUrl, keys: vector.keys ?? keys, ...options };
  try {
    await verifyEvidence(confirmation, known);
    return undefined;
  } catch (error) {
    if (error instanceof EvidenceError) return error.code;
    throw error;
  }
};

test.each(vectors.filter(({ code }) => code === undefined).map((vector) => [vector.name, vector] as const))(
  'the check accepts %s',
  async (_, vector) => {
    expect(await codeOf(vector)).toBeUndefined();
  },
);

test.each(vectors.filter(({ code }) => code !== undefined).map((vector) => [vector.name, vector] as const))(
  'the check refuses %s',
  async (_, vector) => {
    expect(await codeOf(vector)).toBe(vector.code);
  },
);

test('vectors have unique names', () => {
  expect(new Set(vectors.map(({ name }) => name)).size).toBe(vectors.length);
});

describe('a second public key that verifies the same signature', () => {
  const { confirmation } = vectorNamed('the second key that verifies the signature');
  const { evidence = '', deviceKey } = confirmation;
  const own = vectorNamed('a confirmation').confirmation.deviceKey;
  const [input, signature] = [evidence.slice(0, evidence.lastIndexOf('.')), evidence.split('.')[2] ?? ''];

  test('is another key, and verifies the signature', () => {
    expect(deviceKey).not.toEqual(own);
    for (const jwk of [own, deviceKey]) {
      const key = createPublicKey({ key: jwk ?? {}, format: 'jwk' });
      const bytes = Buffer.from(signature, 'base64url');
      expect(verify('sha256', Buffer.from(input), { key, dsaEncoding: 'ieee-p1363' }, bytes)).toBe(true);
    }
  });

  test('is refused, because the device signed the thumbprint of its own key', async () => {
    expect(await codeOf(vectorNamed('the second key that verifies the signature'))).toBe('jkt');
  });
});

(hasPython ? test : test.skip)('the Python reader says the same of each vector', async () => {
  const codes = JSON.parse(await runWithExamples('test/packages/evidence/vectors.py')) as object;
  expect(codes).toEqual(Object.fromEntries(vectors.map(({ name, code = null }) => [name, code])));
});
