import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** The oldest Java that DynamoDB Local 2.6 runs on. */
export const OLDEST_JAVA = 17;

/** No Java, or one that is too old; whoever catches it can install one. */
export class JavaMissingError extends Error {
  override readonly name = 'JavaMissingError';
}

/** `JAVA_HOME` first, as every Java tool does, then the path. */
export function javaCommand(environment: NodeJS.ProcessEnv = process.env): string {
  const home = environment['JAVA_HOME'];
  const ofHome = home ? join(home, 'bin', 'java') : '';
  return existsSync(ofHome) ? ofHome : 'java';
}

/** Finds out whether Java itself is to blame for a start that failed, or will. */
export async function assertUsableJava(java: string): Promise<void> {
  const [said, modules] = await Promise.all([run(java, ['-version']), run(java, ['--list-modules'])]);
  const version = /version "(?:1\.)?(\d+)/.exec(said)?.[1];
  if (version === undefined)
    throw new JavaMissingError(`There is no Java to run DynamoDB Local (tried ${java}).`);
  if (Number(version) < OLDEST_JAVA) {
    throw new JavaMissingError(
      `DynamoDB Local needs Java ${OLDEST_JAVA} or newer; ${java} is version ${version}.`,
    );
  }
  // Without it no program runs from its source, and DynamoDB Local as it comes is open to the network.
  if (!modules.includes('jdk.compiler'))
    throw new JavaMissingError(`DynamoDB Local needs a Java with the module jdk.compiler; ${java} has none.`);
}

function run(command: string, args: readonly string[]): Promise<string> {
  return new Promise((resolve) => {
    execFile(command, args, (_error, stdout, stderr) => resolve(stdout + stderr));
  });
}
