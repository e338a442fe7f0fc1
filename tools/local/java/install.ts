import { execFile } from 'node:child_process';
import { assertUsableJava, javaCommand, JavaMissingError, oldestJava } from './java.ts';
import { AptError, createApt } from '../debian/apt.ts';
import { thisSystem } from '../debian/system.ts';
import { StartError } from '../command/start-error.ts';

const advice =
  `Install a Java runtime of version ${oldestJava} or newer (for example "apt-get install openjdk-${oldestJava}-jre-headless" ` +
  'or "brew install openjdk"), and have "java" on the PATH or set JAVA_HOME.';

/**
 * Ensures that there is a Java for DynamoDB Local. Installs it for root on Debian or Ubuntu without any Java, as in a
 * container; other users get advice.
 *
 * @throws {StartError}
 */
export async function ensureJava(
  log: (line: string) => void,
  { isRoot, isDebian } = thisSystem(),
): Promise<void> {
  const fault = await faultOfJava();
  if (fault === undefined) return;
  if ((await exists(javaCommand())) || !isRoot || !isDebian) throw new StartError(`${fault} ${advice}`);
  log(`${fault} Installing it; this takes a minute or two, only once.`);
  await installJava(log);
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

/** Installs the default runtime if it is new enough; its version contains Java's, as in `2:1.17-74`. */
async function installJava(log: (line: string) => void): Promise<void> {
  const apt = createApt(log);
  try {
    await apt.update();
    const version = await apt.versionOf('default-jre-headless');
    const isNewEnough = Number(/^\d+:1\.(\d+)/.exec(version)?.[1]) >= oldestJava;
    await apt.install(isNewEnough ? 'default-jre-headless' : `openjdk-${oldestJava}-jre-headless`);
  } catch (error) {
    if (error instanceof AptError) throw new StartError(`${error.message} ${advice}`);
    throw error;
  }
}
