/** `@omi/testing` as others get it: packed, installed into an empty project beside `@omi/website`. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { PackedProject } from './support/packed-project.ts';

const readme = readFileSync('packages/testing/README.md', 'utf8');
const example = /```ts\n([\s\S]*?)```/.exec(readme)?.[1] ?? '';

let project: PackedProject;
beforeAll(async () => {
  project = await PackedProject.create('@omi/testing', '@omi/website');
});
afterAll(async () => {
  await project.remove();
});

describe('the package', () => {
  test('contains its code and nothing else, and brings no other package than the one that it stands in for', async () => {
    const names = project.packed.files.map(({ path }) => path);
    const folders = new Set(names.map((path) => path.replace(/\/.*/, '')));
    expect([...folders].toSorted()).toEqual(['LICENSE', 'README.md', 'dist', 'package.json']);
    expect(await project.installed()).toEqual(['node_modules/@omi/testing', 'node_modules/@omi/website']);
  });

  test('runs the tests of its documentation as they are written', async () => {
    await project.write('shop.test.js', example);
    const told = await project.node(process.execPath, ['--test', '--test-reporter=tap']);
    expect(told).toMatch(/^# pass 2$/m);
    expect(told).toMatch(/^# fail 0$/m);
  });
});
