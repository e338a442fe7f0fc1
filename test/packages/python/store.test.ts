/** `MemoryStore` of `omi` for Python. */
import { expect, test } from '@jest/globals';
import { hasPython, runWithExamples } from '../../docs/tenants/programs.ts';

(hasPython ? test : test.skip)(
  'the store in memory removes expired values first, then the oldest, and threads may share it',
  async () => {
    const printed = await runWithExamples('test/packages/python/store.py');
    expect(printed.trim().split('\n')).toEqual(['acd', 'cde', 'cde', "['other']"]);
  },
);
