import { readFile } from 'node:fs/promises';
import { describe, expect, test } from '@jest/globals';
import { codeLines, linesByHand, linesWithPackages, savedFiles } from '../../bench/website/lines.ts';
import { render } from '../../bench/website/report.ts';
import { type Round, ways } from '../../bench/website/rounds.ts';
import { builtElements, packageSizes } from '../../bench/website/sizes.ts';
import { blockOf, documentPath } from '../../bench/report/document.ts';

describe('lines', () => {
  test('are counted without comments and empty ones', () => {
    const text = '/** What\n * it does. */\nconst a = 1; // one\n\n  // why\n<!-- a\n note -->\n<p>\n';
    expect(codeLines(text)).toEqual(['const a = 1; // one', '<p>']);
  });

  test('are those of the documented websites', () => {
    expect([...savedFiles('step-up-in-ten-minutes.md').keys()]).toEqual([
      'server.mjs',
      'public/index.html',
      'public/device.html',
    ]);
    const [hand, packages] = [linesByHand(), linesWithPackages()];
    expect(hand.all).toBeGreaterThan(200);
    expect(packages.all).toBeGreaterThan(30);
    expect(packages.all).toBeLessThan(hand.all / 2);
    expect(hand.evidence).toBeGreaterThan(30);
    expect(packages.evidence).toBe(0);
    expect(hand.binding).toBeGreaterThan(packages.binding);
    expect(packages.binding).toBeGreaterThan(0);
  });
});

const figures = {
  lines: {
    hand: { all: 300, evidence: 40, binding: 30 },
    packages: { all: 60, evidence: 0, binding: 8 },
  },
  rounds: ways.flatMap((way) =>
    [10, 20, 30].map((asked): Round => {
      const poll = 'GET /omi/push/confirmation';
      const serviceCalls = ['POST /token', 'POST /omi/push/user/anna', poll, poll];
      return { way, asked, answered: asked * 20, pageCalls: 3, serviceCalls };
    }),
  ),
  at: new Date('2026-11-22T11:00:00Z'),
  load: 1.5,
};

describe('the report', () => {
  const linesOf = (report: string): string[] =>
    report.split('\n').map((line) => line.replaceAll(/\s+/g, ' '));
  const headersOf = (report: string): string[] =>
    linesOf(report).filter((line, index, all) => line.startsWith('|') && !all[index - 1]?.startsWith('|'));

  test('has medians and 90th percentiles, and what a confirmation calls', async () => {
    const bytes = await packageSizes(await builtElements());
    for (const size of Object.values(bytes)) expect(size).toBeGreaterThan(1_000);
    const report = linesOf(render({ ...figures, bytes }));
    expect(report).toContain('| by hand, in a page | 20 / 30 | 400 / 600 |');
    expect(report).toContain('| by hand, in a page | 1.0 | 2.0 | 0.0 | 3.0 |');
    expect(report[0]).toMatch(/2026-11-22\. Load average 1\.5\.$/);
  });

  test('has the same tables as docs/performance.md', async () => {
    const block = blockOf(await readFile(documentPath, 'utf8'), 'bench:website') ?? '';
    expect(headersOf(block)).toEqual(headersOf(render({ ...figures, bytes: { any: 1 } })));
  });
});
