import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from '@jest/globals';

const emulators = 'tools/local/aws/emulators';
const patches = globSync(join(emulators, '*/patches/*'));

test.each(patches)('%s says when it can be removed', (file) => {
  expect(readFileSync(file, 'utf8')).toMatch(
    /^ \* Remove when (DynamoDB Local|fauxqs|kinesis-local) .+[.,]$/m,
  );
});

test('the README lists every patch', () => {
  const readme = readFileSync(join(emulators, 'README.md'), 'utf8');
  const listed = [...readme.matchAll(/^\|.*\[`(.+)`\]\((.+)\) \|/gm)].map(([, name, path]) => ({
    name,
    path,
  }));
  const expected = patches.map((file) => ({ name: basename(file), path: file.slice(emulators.length + 1) }));
  expect(listed.toSorted((a, b) => String(a.path).localeCompare(String(b.path)))).toEqual(
    expected.toSorted((a, b) => a.path.localeCompare(b.path)),
  );
});
