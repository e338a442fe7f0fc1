import { pathToFileURL } from 'node:url';
import { resolve } from 'node:path';
import { expect, test } from '@jest/globals';
import { isShared, keepsSomething } from './shared-modules.ts';

test.each([
  ["const region = process.env['AWS_REGION'];"],
  ["process.on('exit', end);"],
  ['let count = 0;'],
  ['export let count = 0;'],
  ['const seen = new Map();'],
  // Types are blanked out.
  ['const seen                      = new Map                (); '],
  ['export const seen = new Set();'],
  ['const told = [];'],
  ['const { fetch } = globalThis;'],
  ['const metrics = new Metrics({ defaultDimensions });'],
  ['export const logger = new Logger();'],
  ["import { expect } from '@jest/globals';"],
])('a module with %s keeps something', (line) => {
  expect(keepsSomething(`import { end } from './end.ts';\n${line}\n`)).toBe(true);
});

test.each([
  ['const codes = new Set([429, 503]);'],
  ['function count() {\n  let sum = 0;\n  const seen = new Map();\n}'],
  ['const utf8 = new TextDecoder();'],
])('a module with %s does not', (line) => {
  expect(keepsSomething(line)).toBe(false);
});

const shared = (path: string): boolean => isShared(pathToFileURL(resolve(path)).href);

test.each([
  ['imports nothing that keeps something', 'core/export/targets/state-machine.ts', true],
  ['imports what reads the environment', 'core/lambda/wiring.ts', false],
  ['imports what writes a log', 'core/http/error-responses.ts', false],
  ['is a suite', 'test/run/modules/shared-modules.test.ts', false],
  ['is a program', 'docs/examples/consumer/read-bucket.ts', false],
  ['is a part of a page', 'pages/app/src/main.tsx', false],
  ['is a package of a page', 'packages/elements/src/index.ts', false],
])('what %s: %s, shared %p', (_, path, expected) => {
  expect(shared(path)).toBe(expected);
});
