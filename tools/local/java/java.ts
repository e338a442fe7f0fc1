import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** The oldest Java that DynamoDB Local 2.6 runs on. */
export const oldestJava = 17;

/** There is no Java, or it is too old or incomplete. */
export class JavaMissingError extends Error {
  override readonly name = 'JavaMissingError';
}

/** From `JAVA_HOME`, otherwise from the path. */
export function javaCommand(environment: NodeJS.ProcessEnv = process.env): string {
  const home = environment['JAVA_HOME'];
  const ofHome = home ? join(home, 'bin', 'java') : '';
  return existsSync(ofHome) ? ofHome : 'java';
}

/** @throws {JavaMissingError} if DynamoDB Local cannot run with this Java */
export async function assertUsableJava(java: string): Promise<void> {
  const [output, modules] = await Promise.all([run(java, ['-version']), run(java, ['--list-modules'])]);
  const version = /version "(?:1\.)?(\d+)/.exec(output)?.[1];
  if (version === undefined)
    throw new JavaMissingError(`There is no Java for DynamoDB Local (tried ${java}).`);
  if (Number(version) < oldestJava) {
    throw new JavaMissingError(
      `DynamoDB Local needs Java ${oldestJava} or newer; ${java} is version ${version}.`,
    );
  }
  // This module runs our Java source, without which DynamoDB Local would be open to the network.
  if (!modules.includes('jdk.compiler'))
    throw new JavaMissingError(
      `DynamoDB Local needs a Java with the module jdk.compiler, which ${java} lacks.`,
    );
}

function run(command: string, args: readonly string[]): Promise<string> {
  return new Promise((resolve) => {
    execFile(command, args, (_error, stdout, stderr) => resolve(stdout + stderr));
  });
}
