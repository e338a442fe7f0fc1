import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { PackedProject } from './packed-project.ts';
import { isWellFormed } from './self-contained.ts';

const firstProgramOf = (path: string): string =>
  /```ts\n([\s\S]*?)```/.exec(readFileSync(path, 'utf8'))?.[1] ?? '';

/**
 * `@omi/testing` as others get it: packed, installed into an empty project beside `@omi/website`. To pack it builds both: tests
 * that pack `@omi/website` cannot run at the same time.
 */
export function installedTesting(): void {
  let project: PackedProject;
  beforeAll(async () => {
    project = await PackedProject.create('@omi/testing', '@omi/website');
  });
  afterAll(async () => {
    await project.remove();
  });

  isWellFormed(() => project);

  test('contains its code and nothing else, and brings no other package than the one that it stands in for', async () => {
    const names = project.packed.files.map(({ path }) => path);
    const folders = new Set(names.map((path) => path.replace(/\/.*/, '')));
    expect([...folders].toSorted()).toEqual(['CHANGELOG.md', 'LICENSE', 'README.md', 'dist', 'package.json']);
    expect(await project.installed()).toEqual(['node_modules/@omi/testing', 'node_modules/@omi/website']);
  });

  test('is the same class in CommonJS as the `@omi/website` beside it', async () => {
    await project.write(
      'required.cjs',
      `const { Omi } = require('@omi/website');
       const { testOmi } = require('@omi/testing');
       console.log(testOmi() instanceof Omi);`,
    );
    expect(await project.node(process.execPath, ['required.cjs'])).toBe('true\n');
  });

  test.each([
    { path: 'packages/testing/README.md', tests: 3 },
    { path: 'docs/test-your-website.md', tests: 1 },
  ])('runs the tests of $path as they are written', async ({ path, tests }) => {
    await project.write('shop.test.js', firstProgramOf(path));
    const told = await project.node(process.execPath, ['--test', '--test-reporter=tap']);
    expect(told).toMatch(new RegExp(`^# pass ${tests}$`, 'm'));
    expect(told).toMatch(/^# fail 0$/m);
  });
}
