import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';

const page = readFileSync('docs/website-threats.md', 'utf8');

/** The last column of each threat: files, each with the titles of tests. */
const proofs = page
  .split('\n')
  .filter((line) => line.startsWith('| ') && !/^\| (threat|---)/.test(line))
  .map((line) => line.split(' | ').at(-1) ?? '');

const named = (proof: string): { file: string; title: string }[] => {
  let file = '';
  return Array.from(proof.matchAll(/`([\w-]+\.test\.ts)`|"([^"]+)"/g)).flatMap(([, name, title]) => {
    file = name ?? file;
    return title === undefined ? [] : [{ file, title }];
  });
};

test('each threat names a test, and the test exists', () => {
  expect(proofs.length).toBeGreaterThan(30);
  for (const proof of proofs) {
    const tests = named(proof);
    expect([proof, tests.length]).not.toEqual([proof, 0]);
    for (const { file, title } of tests) {
      const path = `test/packages/website/routes/${file}`;
      expect([path, existsSync(path)]).toEqual([path, true]);
      const text = readFileSync(path, 'utf8').replaceAll("\\'", "'");
      expect([title, text.includes(title)]).toEqual([title, true]);
    }
  }
});
