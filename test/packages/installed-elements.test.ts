/** The package as others get it: packed, installed into an empty project, imported on a server and in a page. */
import { resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { build } from 'esbuild';
import { findNode } from './support/node-versions.ts';
import { PackedProject } from './support/packed-project.ts';
import { isWellFormed } from './support/self-contained.ts';

let project: PackedProject;
const versions = new Map(
  await Promise.all([20, 22, 24].map(async (major) => [major, await findNode(major)] as const)),
);

beforeAll(async () => {
  project = await PackedProject.create('@omi/elements');
});
afterAll(async () => {
  await project.remove();
});

describe('the package', () => {
  // Files for script tags, which no program imports.
  const tags = ['omi-elements.js', 'omi-confirmation.js', 'omi-enrolment.js'];
  isWellFormed(() => project, ['--exclude-entrypoints', ...tags]);
});

test('a CommonJS program requires the same elements from each entry', async () => {
  const script = await project.write(
    'required.cjs',
    `const { OmiConfirmationElement } = require('@omi/elements');
     const { OmiConfirmationElement: other } = require('@omi/elements/confirmation-element');
     require('@omi/elements/confirmation-element-define');
     console.log(OmiConfirmationElement === other);`,
  );
  expect(await project.node(process.execPath, [script])).toBe('true\n');
});

test('the package contains what it needs, and depends on no other package', async () => {
  const names = project.packed.files.map(({ path }) => path);
  expect(names).toEqual(
    expect.arrayContaining(['README.md', 'LICENSE', 'NOTICE', 'dist/index.js', 'dist/index.d.ts']),
  );
  expect(names).toEqual(expect.arrayContaining(['dist/omi-elements.js', 'dist/omi-confirmation.js']));
  expect(names.filter((name) => /\.(test|ts)\b/.test(name) && !name.endsWith('.d.ts'))).toEqual([]);
  expect(await project.installed()).toEqual(['node_modules/@omi/elements']);
  expect(await project.read('node_modules/@omi/elements/NOTICE')).toContain('David Evans');
});

describe.each([...versions])('the package in Node.js %i', (_, program) => {
  (program === undefined ? test.skip : test)(
    'it can be imported, as a page is rendered on a server',
    async () => {
      const script = await project.write(
        'server.js',
        `import { OmiConfirmationElement, OmiEnrolmentElement } from '@omi/elements';
       import '@omi/elements/confirmation-element-define';
       console.log(OmiConfirmationElement.formAssociated, OmiEnrolmentElement.observedAttributes.join());`,
      );
      await expect(project.node(program ?? '', [script])).resolves.toBe('true lang,path,confirmation\n');
    },
  );
});

const typed = `
import { OmiConfirmationElement, type ConfirmationTexts } from '@omi/elements';
import { OmiEnrolmentElement } from '@omi/elements/enrolment-element';

const element: OmiConfirmationElement = document.createElement('omi-confirmation');
element.data = { amount: 20 };
element.texts = { start: 'Ask me' };
export const texts: Partial<ConfirmationTexts> = element.texts;
export const id: string = element.value;
export const other: OmiEnrolmentElement | null = document.querySelector('omi-enrolment');
element.addEventListener('omi-confirmed', ({ detail }) => detail.id.toUpperCase());
// @ts-expect-error: the value comes from the user alone
element.value = 'x';
// @ts-expect-error: there is no such text
element.texts = { hello: 'x' };
`;

const compilers = ['typescript/bin/tsc6', '@typescript/native/bin/tsc'];
const around = { target: 'ES2022', lib: ['ES2022', 'DOM', 'DOM.Iterable'], types: [] };
const ways = {
  node16: { ...around, module: 'node16', moduleResolution: 'node16' },
  bundler: { ...around, module: 'esnext', moduleResolution: 'bundler' },
};

test.each(compilers)('the types are found and valid (%s)', async (compiler) => {
  const file = await project.write('typed.ts', typed);
  await project.compile(compiler, ways, [file]);
});

test('a bundler includes what is used, even if only the registration is imported', async () => {
  const bundle = async (source: string): Promise<string> => {
    const entry = await project.write('entry.js', source);
    const options = { bundle: true, splitting: true, write: false, format: 'esm', minify: true } as const;
    const { outputFiles } = await build({
      ...options,
      entryPoints: [entry],
      outdir: resolve(project.folder, 'out'),
    });
    return outputFiles.map(({ text }) => text).join('');
  };
  const both = await bundle("import '@omi/elements';");
  const one = await bundle("import '@omi/elements/confirmation-element-define';");
  expect(both).toMatch(/"omi-enrolment"/);
  expect(one).toMatch(/"omi-confirmation"/);
  expect(one).not.toMatch(/"omi-enrolment"/);
  expect(gzipSync(one).length).toBeLessThan(gzipSync(both).length);
});
