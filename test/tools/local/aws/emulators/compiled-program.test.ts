import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { compiledProgram } from '../../../../../tools/local/aws/emulators/dynamodb-local/compiled-program.ts';
import { javaCommand } from '../../../../../tools/local/java/java.ts';

const java = javaCommand();

let classPath: string;
let source: string;
const kept: string[] = [];

beforeEach(async () => {
  classPath = await mkdtemp(join(tmpdir(), 'omi-compiled-'));
  source = join(classPath, 'Hello.java');
});
afterEach(async () => {
  for (const folder of [classPath, ...kept.splice(0)]) await rm(folder, { recursive: true });
});

const greeting = (text: string): string =>
  `class Hello { public static void main(String[] names) { System.out.print("${text} " + names[0]); } }`;

const compiled = async (command = java): Promise<string> => {
  const folder = await compiledProgram({ java: command, source, classPath });
  if (folder === undefined) throw new Error('The program was not compiled');
  if (!kept.includes(folder)) kept.push(folder);
  return folder;
};

const output = async (folder: string): Promise<string> =>
  (await promisify(execFile)(java, ['-cp', folder, 'Hello', 'Ada'])).stdout;

test('a program is compiled once, and again after its source changed', async () => {
  await writeFile(source, greeting('Hello'));
  const first = await compiled();
  expect(await output(first)).toBe('Hello Ada');
  expect(await compiled('no-java')).toBe(first);

  await writeFile(source, greeting('Good evening'));
  expect(await output(await compiled())).toBe('Good evening Ada');
});

test('several processes may compile it at the same time', async () => {
  await writeFile(source, greeting('Hello'));
  const [first, second] = await Promise.all([compiled(), compiled()]);
  expect(second).toBe(first);
  expect(await output(first)).toBe('Hello Ada');
});

test('nothing is stored of a program that does not compile', async () => {
  await writeFile(source, 'class Hello {');
  expect(await compiledProgram({ java, source, classPath })).toBeUndefined();
  await writeFile(source, greeting('Hello'));
  expect(await compiledProgram({ java: 'no-java', source, classPath })).toBeUndefined();
});
