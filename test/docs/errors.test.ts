import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { problemDocument, problems } from '../../core/http/problems.ts';
import { Refusal, type RefusalCode } from '../../core/kernel/refusal.ts';
import { refusals, meaningOf } from '../../tools/documents/api/refusals.ts';
import { errorsPage } from '../../tools/documents/errors/page.ts';

const page = readFileSync('docs/errors.md', 'utf8');
const codes = Object.keys(problems) as RefusalCode[];

/** The text under a heading of the third level. */
const sectionOf = (code: string): string => page.split(`\n### ${code}\n`)[1]?.split('\n### ')[0] ?? '';

test('the page of errors is what its sources say', () => {
  expect(page).toBe(errorsPage());
});

test('the end of each type is the name of a section, and the table of codes links to it', () => {
  const named = codes.map(
    (code) => problemDocument(new Refusal(code, 'Why.'), 'trace', 'https://api.omi.example').type,
  );
  const headings = [...page.matchAll(/^### (.+)$/gm)].map(
    ([, code = '']) => `https://api.omi.example/problems/${code}`,
  );
  expect(headings).toEqual(named);
  for (const code of codes) expect(page).toContain(`[\`${code}\`](#${code})`);
});

test('each section has the status of the code, and all that it means', () => {
  for (const code of codes) expect(sectionOf(code)).toContain(`**${problems[code].status}**`);
  for (const [lambda, its] of Object.entries(refusals))
    for (const code of its)
      expect(sectionOf(code)).toContain(meaningOf(code, lambda as keyof typeof refusals));
});
