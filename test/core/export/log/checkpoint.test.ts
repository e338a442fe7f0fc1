import { createHash } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { openCheckpoint } from '#consumer';
import { originOf, signedCheckpoint } from '../../../../core/export/log/checkpoint.ts';
import { emptyRoot } from '../../../../core/export/log/merkle-tree.ts';
import { baseUrl, newLogKey } from '../../../support/log-world.ts';

const ref = { tenantId: '0199c0de-0001-7000-8000-000000000001', category: 'public' } as const;
const { key, published } = newLogKey();
const trust = { ...ref, baseUrl, keys: { keys: [published] } };

async function checkpoint(size = 7, origin = originOf(baseUrl, ref, 1)): Promise<string> {
  const body = { origin, size, root: emptyRoot };
  return await signedCheckpoint(body, key);
}

describe('a checkpoint', () => {
  test('is a signed note of origin, size and root, whose key is named by its public half', async () => {
    const text = await checkpoint();
    const [origin, size, root, empty, signature = '', end] = text.split('\n');
    expect([origin, size, root, empty, end]).toEqual([
      `api.omi.example/${ref.tenantId}/public`,
      '7',
      createHash('sha256').digest('base64'),
      '',
      '',
    ]);
    const [, name, base64 = ''] = /^— (\S+) (\S+)$/u.exec(signature) ?? [];
    expect(name).toBe(origin);
    expect(Buffer.from(base64, 'base64').subarray(0, 4).toString('hex')).toBe(published.kid);
    expect(openCheckpoint(text, trust)).toEqual({
      ...{ origin, generation: 1, size: 7, root: emptyRoot, text },
    });
  });

  test('is of another log after a restore, and of the same tenant and category', async () => {
    for (const generation of [2, 10, 19, 99_999]) {
      const text = await checkpoint(1, originOf(baseUrl, ref, generation));
      const origin = `api.omi.example/${ref.tenantId}/public/${generation}`;
      expect(openCheckpoint(text, trust)).toMatchObject({ origin, generation });
    }
  });

  test.each(['/0', '/1', '/01', '/2/3', '/100000', '/x'])('is refused with the number %s', async (end) => {
    const text = await checkpoint(1, `${originOf(baseUrl, ref, 1)}${end}`);
    expect(() => openCheckpoint(text, trust)).toThrow('other-log');
  });

  test('is accepted under a former base URL only if it is named', async () => {
    const text = await checkpoint(1, originOf('https://old.omi.example', ref, 1));
    expect(() => openCheckpoint(text, trust)).toThrow('other-log');
    const former = { ...trust, formerBaseUrls: ['https://old.omi.example'] };
    expect(openCheckpoint(text, former).size).toBe(1);
  });

  test.each([
    ['another size', (text: string) => text.replace('\n7\n', '\n8\n'), 'wrong-signature'],
    ['another root', (text: string) => text.replace('47DEQ', '47DEq'), 'wrong-signature'],
    ['another tenant', (text: string) => text.replace('0199c0de', '0199c0df'), 'other-log'],
    ['no signature', (text: string) => text.split('\n\n')[0] ?? '', 'malformed-checkpoint'],
    ['a line more', (text: string) => text.replace('\n\n', '\nmore\n\n'), 'malformed-checkpoint'],
    ['the name of another key', (text: string) => text.replace('— api', '— api2'), 'wrong-signature'],
  ])('is refused with %s', async (_, change, code) => {
    const text = await checkpoint();
    expect(() => openCheckpoint(change(text), trust)).toThrow(code);
  });

  test('is refused if the key is for something else, or unknown', async () => {
    const text = await checkpoint();
    const keysOf = (one: object) => ({ ...trust, keys: { keys: [{ ...published, ...one }] } });
    expect(() => openCheckpoint(text, keysOf({ for: 'receipt' }))).toThrow('wrong-signature');
    expect(() => openCheckpoint(text, keysOf({ x: 'AA' }))).toThrow('wrong-signature');
    expect(() => openCheckpoint(text, keysOf(newLogKey().published))).toThrow('wrong-signature');
  });
});
