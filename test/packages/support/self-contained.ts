import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';
import type { PackedProject } from './packed-project.ts';

const run = promisify(execFile);

/**
 * Runs the tools by which others judge a package, on the packed file: publint, and arethetypeswrong, which resolves each entry as
 * TypeScript does it in modules and in CommonJS.
 *
 * @param options for `attw`
 */
export function isWellFormed(project: () => PackedProject, options: readonly string[] = []): void {
  test('has entries and types that publint and arethetypeswrong find right', async () => {
    const file = join(project().folder, project().packed.filename);
    const tool = async (name: string, ...args: string[]): Promise<string> =>
      await run(join('node_modules/.bin', name), [file, ...args]).then(
        () => '',
        (error: unknown) => (error as { stdout: string }).stdout,
      );
    expect(await tool('publint', '--strict')).toBe('');
    expect(await tool('attw', '--profile', 'node16', '--no-color', ...options)).toBe('');
  });
}

/**
 * What holds for every package that is published.
 *
 * @param declared files that its users need
 * @param others files and folders besides
 * @param program the folder in `dist` of a program, which runs in Node.js alone
 */
export function isSelfContained(
  name: string,
  project: () => PackedProject,
  declared: readonly string[],
  others: readonly string[] = [],
  program?: string,
): void {
  test('contains what it needs, and nothing else', () => {
    const names = project().packed.files.map(({ path }) => path);
    const folders = new Set(names.map((path) => path.replace(/\/.*/, '')));
    expect([...folders].toSorted()).toEqual(
      ['CHANGELOG.md', 'LICENSE', 'README.md', 'dist', 'package.json', ...others].toSorted(),
    );
    expect(names).toEqual(expect.arrayContaining([...declared]));
    expect(names.filter((path) => /\.(test|ts)\b/.test(path) && !path.endsWith('.d.ts'))).toEqual([]);
  });

  test('has a source map with the sources for each of its modules, of both kinds', () => {
    const names = project().packed.files.map(({ path }) => path);
    const modules = names.filter((path) => path.startsWith('dist/') && path.endsWith('.js'));
    expect(modules.filter((path) => path.startsWith('dist/cjs/'))).not.toEqual([]);
    expect(modules.filter((path) => !names.includes(`${path}.map`))).toEqual([]);
  });

  isWellFormed(project);

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
    const isPart = (path: string): boolean => program === undefined || !path.startsWith(`${program}/`);
    for (const file of files.filter((path) => path.endsWith('.js') && isPart(path))) {
      const code = await project().read(`node_modules/${name}/dist/${file}`);
      expect(code).not.toMatch(/\bnode:|\bprocess\.|\bBuffer\b/);
      if (!file.startsWith('cjs/')) expect(code).not.toMatch(/\brequire\(/);
      const required = [...code.matchAll(/= require\("([^"]+)"\)/g)].map(([, path = '']) => path);
      expect(required.filter((path) => !/^\.\.?\/.*\.js$/.test(path))).toEqual([]);
      const imported = [...code.matchAll(/\bfrom '([^']+)'/g)].map(([, path = '']) => path);
      expect(imported.filter((path) => !/^\.\.?\/.*\.js$/.test(path))).toEqual([]);
    }
  });
}
