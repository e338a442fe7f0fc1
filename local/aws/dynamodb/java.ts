import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** The oldest Java that DynamoDB Local 2.6 runs on. */
export const OLDEST_JAVA = 17;

/** No Java, or one that is too old; whoever catches it can install one. */
export class JavaMissing extends Error {
  override readonly name = 'JavaMissing';
}

/** `JAVA_HOME` first, as every Java tool does, then the path. */
export function javaCommand(environment: NodeJS.ProcessEnv = process.env): string {
  const home = environment['JAVA_HOME'];
  const ofHome = home ? join(home, 'bin', 'java') : '';
  return existsSync(ofHome) ? ofHome : 'java';
}

/** Finds out, after a start that failed, whether Java itself is to blame. */
export async function assertUsableJava(java: string): Promise<void> {
  const said = await run(java, ['-version']);
  const version = /version "(?:1\.)?(\d+)/.exec(said)?.[1];
  if (version === undefined) throw new JavaMissing(`There is no Java to run DynamoDB Local (tried ${java}).`);
  if (Number(version) < OLDEST_JAVA) {
    throw new JavaMissing(
      `DynamoDB Local needs Java ${OLDEST_JAVA} or newer; ${java} is version ${version}.`,
    );
  }
}

/** A runtime without this module cannot run a program from its source. */
export async function hasCompiler(java: string): Promise<boolean> {
  return (await run(java, ['--list-modules'])).includes('jdk.compiler');
}

function run(command: string, args: readonly string[]): Promise<string> {
  return new Promise((resolve) => {
    execFile(command, args, (_error, stdout, stderr) => resolve(stdout + stderr));
  });
}
