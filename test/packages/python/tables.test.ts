/** A page is told the same by a website in Python and one in TypeScript. */
import { expect, test } from '@jest/globals';
import { forThePage } from '../../../packages/website/src/routes/failures.ts';
import { browsers, type Names, systems } from '../../../packages/website/src/user-agent.ts';
import { hasPython, runWithExamples } from '../../docs/tenants/programs.ts';

const patterns = (names: Names) =>
  names.map(([{ source }, name]) => [source.replaceAll(String.raw`\/`, '/'), name]);

(hasPython ? test : test.skip)(
  'Python and TypeScript have the same refusals, browsers and systems',
  async () => {
    const printed: unknown = JSON.parse(await runWithExamples('test/packages/python/tables.py'));
    expect(printed).toEqual([forThePage, patterns(browsers), patterns(systems)]);
  },
);
