import { expect, test } from '@jest/globals';
import type { PackedProject } from './packed-project.ts';

/**
 * What holds for every package that is published.
 *
 * @param declared files that its users need
 * @param others folders besides `dist`
 */
export function isSelfContained(
  name: string,
  project: () => PackedProject,
  declared: readonly string[],
  others: readonly string[] = [],
): void {
  test('contains what it needs, and nothing else', () => {
    const names = project().packed.files.map(({ path }) => path);
    const folders = new Set(names.map((path) => path.replace(/\/.*/, '')));
    expect([...folders].toSorted()).toEqual(['LICENSE', 'README.md', 'dist', 'package.json', ...others]);
    expect(names).toEqual(expect.arrayContaining([...declared]));
    expect(names.filter((path) => /\.(test|ts)\b/.test(path) && !path.endsWith('.d.ts'))).toEqual([]);
  });

  test('depends on no other package, and runs nothing during installation', async () => {
    expect(await project().installed()).toEqual([`node_modules/${name}`]);
    const manifest = JSON.parse(await project().read(`node_modules/${name}/package.json`)) as object;
    expect(manifest).toMatchObject({ type: 'module', sideEffects: false, license: 'Apache-2.0' });
    expect(manifest).not.toHaveProperty('dependencies');
    const { scripts = {} } = manifest as { scripts?: object };
    expect(Object.keys(scripts)).toEqual(['prepack']);
  });

  test('requires nothing of Node.js', async () => {
    const files = await project().filesOf(`node_modules/${name}/dist`);
    for (const file of files.filter((path) => path.endsWith('.js'))) {
      const code = await project().read(`node_modules/${name}/dist/${file}`);
      expect(code).not.toMatch(/\brequire\(|\bnode:|\bprocess\.|\bBuffer\b/);
      const imported = [...code.matchAll(/\bfrom '([^']+)'/g)].map(([, path = '']) => path);
      expect(imported.filter((path) => !/^\.\.?\/.*\.js$/.test(path))).toEqual([]);
    }
  });
}
