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
  return Array.from(proof.matchAll(/`([\w./-]+\.ts)`|"([^"]+)"/g)).flatMap(([, name, title]) => {
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

test('each promise of SECURITY.md says what holds it, and where it names a file, there is one', () => {
  const rows = readFileSync('SECURITY.md', 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .map((line) => line.split(' | '))
    .filter(([, , , ...more]) => more.length === 0);
  const promises = rows.filter(([, holder = '']) => /^(\[?model|test|suite|evidence|receipt)/.test(holder));
  expect(promises.length).toBeGreaterThan(60);
  for (const [promise, holder = '', where = ''] of promises) {
    const files = Array.from(where.matchAll(/`([\w.-]+(?:\/[\w.-]+)+)`/g), ([, file = '']) => file);
    if (holder.includes('test')) expect([promise, files.length]).not.toEqual([promise, 0]);
    for (const file of files) expect([file, existsSync(file)]).toEqual([file, true]);
  }
});
