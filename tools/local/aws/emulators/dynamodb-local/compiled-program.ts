import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { oldestJava } from '../../../java/java.ts';

const run = promisify(execFile);

const cache = join(import.meta.dirname, '../../../../../node_modules/.cache/omi-java');

type Program = { java: string; source: string; classPath: string };

/**
 * The folder with the program's classes. Java itself would compile the source at each start, which takes a second of a
 * processor. Undefined where it cannot be compiled or kept: then Java does so, or says what is wrong.
 */
export async function compiledProgram({ java, source, classPath }: Program): Promise<string | undefined> {
  const key = createHash('sha256')
    .update(classPath)
    .update('\n')
    .update(await readFile(source));
  const folder = join(cache, key.digest('hex'));
  if (existsSync(folder)) return folder;
  try {
    await mkdir(cache, { recursive: true });
    const scratch = await mkdtemp(join(cache, 'new-'));
    try {
      await run(java, [...compiler, '-cp', classPath, '-d', scratch, source]);
      await rename(scratch, folder);
    } finally {
      await rm(scratch, { recursive: true, force: true });
    }
  } catch {
    // Another process may have compiled it at the same time.
    return existsSync(folder) ? folder : undefined;
  }
  return folder;
}

const compiler = [
  '-XX:TieredStopAtLevel=1',
  '--module',
  'jdk.compiler/com.sun.tools.javac.Main',
  '-proc:none',
  // Not `--release`, which needs files that a mere runtime lacks. Newer versions of Java run the same classes.
  ...['-source', '-target'].flatMap((option) => [option, String(oldestJava)]),
  '-nowarn',
  '-Xlint:-options',
];
