import { execFile } from 'node:child_process';
import { assertUsableJava, javaCommand, JavaMissingError, oldestJava } from './java.ts';
import { installMissing, versionOf } from '../debian/apt.ts';
import { StartError } from '../command/start-error.ts';

const advice =
  `Install a Java runtime of version ${oldestJava} or newer (for example "apt-get install openjdk-${oldestJava}-jre-headless" ` +
  'or "brew install openjdk"), and have "java" on the PATH or set JAVA_HOME.';

/**
 * Ensures that there is a Java for DynamoDB Local. Installs it where there is none and that is possible; one that is too old stays.
 *
 * @throws {StartError}
 */
export async function ensureJava(log: (line: string) => void): Promise<void> {
  const fault = await faultOfJava();
  if (fault === undefined) return;
  if (await exists(javaCommand())) throw new StartError(`${fault} ${advice}`);
  await installMissing({ fault, advice, packages }, log);
  const faultNow = await faultOfJava();
  if (faultNow !== undefined) throw new StartError(`${faultNow} ${advice}`);
}

async function faultOfJava(): Promise<string | undefined> {
  try {
    await assertUsableJava(javaCommand());
    return undefined;
  } catch (error) {
    if (error instanceof JavaMissingError) return error.message;
    throw error;
  }
}

async function exists(java: string): Promise<boolean> {
  return await new Promise((resolve) => {
    execFile(java, ['-version'], (error) => resolve(error?.code !== 'ENOENT'));
  });
}

/** The default runtime if it is new enough; its version contains Java's, as in `2:1.17-74`. */
async function packages(): Promise<readonly string[]> {
  const version = await versionOf('default-jre-headless');
  const isNewEnough = Number(/^\d+:1\.(\d+)/.exec(version)?.[1]) >= oldestJava;
  return [isNewEnough ? 'default-jre-headless' : `openjdk-${oldestJava}-jre-headless`];
}
