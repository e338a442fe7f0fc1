/** A blank line in a table cuts it: GitHub shows the rest as text with bars. */
import { globSync, readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';

const pages = ['*.md', 'docs/**/*.md'].flatMap((pattern) => globSync(pattern));

/** First rows without the line that makes a table of them. */
function cutRows(text: string): string[] {
  const lines = text.replaceAll(/^```.*?^```$/gms, '').split('\n');
  const isRow = (line = ''): boolean => line.startsWith('|');
  return lines.filter(
    (line, at) => isRow(line) && !isRow(lines[at - 1]) && !/^\|(?: *:?-+:? *\|)+$/.test(lines[at + 1] ?? ''),
  );
}

test.each(pages)('the tables of %s have no blank lines', (page) => {
  expect(cutRows(readFileSync(page, 'utf8'))).toEqual([]);
});

test('a table with a blank line is found', () => {
  expect(cutRows('| a |\n| --- |\n| 1 |\n\n| 2 |\n| 3 |\n')).toEqual(['| 2 |']);
});
