import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { render } from '../../bench/approvals/report.ts';
import { ways } from '../../bench/approvals/ways.ts';
import { blockOf, documentPath } from '../../bench/report/document.ts';

const poll = 'POST /oauth/token';
const measured = ways.map((way) => ({ way, calls: ['POST /bc-authorize', poll, poll] }));

test('the report counts what asks, and what learns the answer', () => {
  const report = render(measured, { seconds: 7, at: new Date('2026-11-22T11:00:00Z') });
  expect(report).toContain('2026-11-22. The user answers after 7 seconds.');
  const [row = ''] = report.split('\n').filter((line) => line.startsWith('| CIBA, poll'));
  expect(row.replaceAll(/\s+/g, ' ')).toBe('| CIBA, poll | 1 | 2 | 3 |');
});

test('the document has the figures of each way', () => {
  const block = blockOf(readFileSync(documentPath, 'utf8'), 'bench:approvals') ?? '';
  for (const way of ways) expect(block).toContain(`| ${way} `);
});
