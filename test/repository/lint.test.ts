/** What `npm run lint` finds: by oxlint, with the rules of `eslint.config.js`. */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { pathToFileURL } from 'node:url';

/** A violation of each rule, in a file of its own. */
const violations = {
  'no-console': `console.log('done');`,
  eqeqeq: `export const isOne = (value: number) => value == 1;`,
  'no-unused-vars': `const unused = 1;`,
  'consistent-type-imports': `import { Stats } from 'node:fs';\nexport type Files = Stats[];`,
  'no-explicit-any': `export type Anything = any;`,
  'no-non-null-assertion': `export const lengthOf = (text?: string) => text!.length;`,
  // These need types.
  'no-floating-promises': `export const begin = () => {\n  Promise.resolve();\n};`,
  'no-misused-promises': `export const each = (all: number[]) => {\n  all.forEach(async () => await Promise.resolve());\n};`,
  'return-await': `export async function read() {\n  return Promise.resolve(1);\n}`,
  'no-unnecessary-condition': `export const has = (text: string) => text?.length;`,
  'prefer-optional-chain': `export const has = (one?: { two: string }) => one && one.two;`,
  'switch-exhaustiveness-check': `export const run = (kind: 'a' | 'b') => {\n  switch (kind) {\n    case 'a':\n      return 1;\n  }\n};`,
  'no-unsafe-assignment': `export const parsed: { id: string } = JSON.parse('{}');`,
  'restrict-template-expressions': `export const text = (value: object) => \`\${value}\`;`,
};

const folder = mkdtempSync(join(tmpdir(), 'omi-lint-'));
let found: Record<string, string[]>;

beforeAll(async () => {
  const config = pathToFileURL(resolve('oxlint.config.js')).href;
  writeFileSync(join(folder, 'oxlint.config.mjs'), `export { default } from '${config}';`);
  const types = {
    extends: resolve('tsconfig.json'),
    compilerOptions: { typeRoots: [resolve('node_modules/@types')] },
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ ...types, include: ['.'], exclude: [] }));
  for (const [rule, code] of Object.entries(violations))
    writeFileSync(join(folder, `${rule}.ts`), `${code}\n`);
  writeFileSync(join(folder, 'good.ts'), `export const one = 1;\n`);
  found = await rulesByFile();
});

afterAll(() => {
  rmSync(folder, { recursive: true });
});

async function rulesByFile(): Promise<Record<string, string[]>> {
  const program = resolve('node_modules/oxlint/bin/oxlint');
  const args = [program, '-c', 'oxlint.config.mjs', '-f', 'json'];
  const failed = await promisify(execFile)(process.execPath, args, { cwd: folder }).then(
    () => {
      throw new Error('oxlint found nothing');
    },
    (error: unknown) => error as { stdout: string; stderr: string },
  );
  const { diagnostics } = JSON.parse(failed.stdout) as { diagnostics: { code: string; filename: string }[] };
  const byFile = Object.groupBy(diagnostics, ({ filename }) => filename);
  return Object.fromEntries(
    Object.entries(byFile).map(([file, all = []]) => [
      file.replace('.ts', ''),
      all.map(({ code }) => code.replace(/^.*\((.*)\)$/, '$1')),
    ]),
  );
}

test.each(Object.keys(violations))('lint finds what %s forbids', (rule) => {
  expect(found[rule]).toContain(rule);
});

test('lint finds nothing in good code', () => {
  expect(found).not.toHaveProperty('good');
});
