import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { check, describe as inWords, table } from '../../../tools/models/check.ts';
import { models } from '../../../tools/models/models.ts';
import { StartError } from '../../../tools/local/command/start-error.ts';
import { ensureSpin } from '../../../tools/models/spin.ts';
import { readReport } from '../../../tools/models/verify.ts';

describe('the models', () => {
  beforeAll(async () => await ensureSpin(() => undefined));

  test.each(models)(
    '$name: is checked completely without an error, and the verifier finds each of its faults',
    async (model) => {
      const rows = await check([model], () => undefined);
      expect(rows).toHaveLength(1 + model.faults.length);
      expect(rows.filter(({ isRight }) => !isRight)).toEqual([]);
    },
  );
});

describe('the report of a verifier', () => {
  const report = (depth: string, errors: number): string =>
    `${depth}\nState-vector 16 byte, depth reached 9, errors: ${errors}\n      12 states, stored\n`;

  test('tells the states, and an error', () => {
    expect(readReport(report('', 0), 1)).toEqual({
      states: 12,
      seconds: 1,
      isComplete: true,
      error: undefined,
    });
    expect(readReport(report('pan:1: assertion violated x (at depth 3)', 1), 1)).toMatchObject({
      error: 'assertion violated x (at depth 3)',
    });
  });

  test('tells a search that was cut off', () => {
    const cut = readReport(report('error: max search depth too small', 0), 1);
    expect(cut.isComplete).toBe(false);
    const row = { model: 'any', fault: undefined, isRight: false, ...cut };
    expect(inWords(row)).toBe('not searched completely, 12 states, 1.0 s');
    expect(table([row])).toContain('| any | 12 | 1.0 | NO | 0 of 0 |');
  });

  test('is missing if the verifier did not run', () => {
    expect(() => readReport('Segmentation fault', 1)).toThrow(StartError);
  });
});

describe('without Spin', () => {
  let empty: string;
  beforeAll(async () => {
    empty = await mkdtemp(join(tmpdir(), 'omi-models-'));
  });
  afterAll(async () => await rm(empty, { recursive: true, force: true }));

  test.each([
    { isRoot: false, isDebian: true },
    { isRoot: true, isDebian: false },
  ])('says how to get it where it cannot be installed: %o', async (system) => {
    await expect(ensureSpin(() => undefined, system, empty)).rejects.toThrow(
      /The models need spin and gcc, which is missing\. Install Spin 6\.5/,
    );
  });
});
