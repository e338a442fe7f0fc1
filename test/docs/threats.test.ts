import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';

/** The last column of each threat: files, each with the titles of tests. */
const proofsOf = (page: string): string[] =>
  readFileSync(page, 'utf8')
    .split('\n## Threats\n')
    .at(-1)
    ?.split('\n')
    .filter((line) => line.startsWith('| ') && !/^\| (threat|---)/.test(line))
    .map((line) => line.split(' | ').at(-1) ?? '') ?? [];

const named = (proof: string): { file: string; title: string }[] => {
  let file = '';
  return Array.from(proof.matchAll(/`([\w.-]+\.ts)`|"([^"]+)"/g)).flatMap(([, name, title]) => {
    file = name ?? file;
    return title === undefined ? [] : [{ file, title }];
  });
};

/** Threats that no test can show to be stopped. */
const untestable = /^\|?\s*\|?$/;

test.each([
  { page: 'docs/website-threats.md', folder: 'test/packages/website/routes', atLeast: 30 },
  { page: 'docs/agents.md', folder: 'test/docs/agents', atLeast: 18 },
])('each threat of $page names an existing test', ({ page, folder, atLeast }) => {
  const proofs = proofsOf(page).filter((proof) => !untestable.test(proof));
  expect(proofs.length).toBeGreaterThan(atLeast);
  for (const proof of proofs) {
    const tests = named(proof);
    expect([proof, tests.length]).not.toEqual([proof, 0]);
    for (const { file, title } of tests) {
      const path = `${folder}/${file}`;
      expect([path, existsSync(path)]).toEqual([path, true]);
      const text = readFileSync(path, 'utf8').replaceAll("\\'", "'");
      expect([title, text.includes(title)]).toEqual([title, true]);
    }
  }
});
