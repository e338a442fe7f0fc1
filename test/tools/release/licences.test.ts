import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import type { Bom, Component } from '../../../tools/release/bom.ts';
import { licenceFaults } from '../../../tools/release/licences.ts';

const bomOf = (...components: Component[]): Bom => ({
  specVersion: '1.6',
  metadata: { component: { name: 'omi', version: '1', licenses: [{ license: { id: 'Apache-2.0' } }] } },
  components,
});

describe('the licence of a component', () => {
  test.each([
    ['in the list', { licenses: [{ license: { id: 'MIT' } }] }],
    ['a choice of which one is in the list', { licenses: [{ expression: '(GPL-3.0-only OR MIT)' }] }],
    ['several, all of them in the list', { licenses: [{ expression: '(MIT AND ISC)' }] }],
  ])('may be %s', (_, component) => {
    expect(licenceFaults(bomOf({ name: 'x', version: '2', ...component }))).toEqual([]);
  });

  test.each([
    ['missing', {}, 'x@2 names no licence.'],
    ['empty', { licenses: [{}] }, 'x@2 has the licence "", which is not in the list.'],
    ['a name that is not in the list', { licenses: [{ license: { name: 'SEE LICENSE' } }] }, '"SEE LICENSE"'],
    ['not in the list', { licenses: [{ license: { id: 'AGPL-3.0-only' } }] }, '"AGPL-3.0-only"'],
    [
      'several, one of them not in the list',
      { licenses: [{ expression: 'MIT AND GPL-2.0' }] },
      '"MIT AND GPL-2.0"',
    ],
  ])('may not be %s', (_, component, words) => {
    expect(licenceFaults(bomOf({ name: 'x', version: '2', ...component }))).toEqual([
      expect.stringContaining(words),
    ]);
  });

  test('is looked up in components of components', () => {
    const inner = { group: '@a', name: 'b', version: '3', licenses: [{ license: { id: 'SSPL-1.0' } }] };
    const outer = { name: 'x', licenses: [{ license: { id: 'MIT' } }], components: [inner] };
    expect(licenceFaults(bomOf(outer))).toEqual([
      '@a/b@3 has the licence "SSPL-1.0", which is not in the list.',
    ]);
  });
});

test('each production dependency in the lock file has a licence of the list', () => {
  type Locked = { license?: string; dev?: true; devOptional?: true; link?: true };
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
    packages: Record<string, Locked>;
  };
  const shipped = Object.entries(packages).filter(
    ([path, { dev, devOptional, link }]) => path !== '' && !dev && !devOptional && !link,
  );
  expect(shipped.length).toBeGreaterThan(100);
  const components = shipped.map(([name, { license = '' }]) => ({
    name,
    licenses: [{ expression: license }],
  }));
  expect(licenceFaults(bomOf(...components))).toEqual([]);
});
