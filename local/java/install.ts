import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { assertUsableJava, javaCommand, JavaMissing, OLDEST_JAVA } from './aws/dynamodb/java.ts';
import { AptFailed, createApt } from './apt.ts';
import { StartRefused } from './start-refused.ts';

export type System = {
  isRoot: boolean;
  /** Debian, Ubuntu, or made from them. */
  isDebian: boolean;
};

const thisSystem = (): System => ({
  isRoot: process.getuid?.() === 0,
  isDebian: existsSync('/etc/debian_version'),
});

const advice =
  `Install a Java runtime of version ${OLDEST_JAVA} or newer (for example "apt-get install openjdk-${OLDEST_JAVA}-jre-headless" ` +
  'or "brew install openjdk"), and have "java" on the PATH or set JAVA_HOME.';

/**
 * Sees to it that there is a Java for DynamoDB Local. Root on Debian or Ubuntu without any Java, as in a container, gets
 * one installed; everybody else is told what to install.
 *
 * @throws {StartRefused}
 */
export async function ensureJava(
  log: (line: string) => void,
  { isRoot, isDebian } = thisSystem(),
): Promise<void> {
  const fault = await faultOfJava();
  if (fault === undefined) return;
  if ((await isThere(javaCommand())) || !isRoot || !isDebian) throw new StartRefused(`${fault} ${advice}`);
  log(`${fault} Installing one; this takes a minute or two, once.`);
  await installJava(log);
  const faultNow = await faultOfJava();
  if (faultNow !== undefined) throw new StartRefused(`${faultNow} ${advice}`);
}

async function faultOfJava(): Promise<string | undefined> {
  try {
    await assertUsableJava(javaCommand());
    return undefined;
  } catch (error) {
    if (error instanceof JavaMissing) return error.message;
    throw error;
  }
}

async function isThere(java: string): Promise<boolean> {
  return await new Promise((resolve) => {
    execFile(java, ['-version'], (error) => resolve(error?.code !== 'ENOENT'));
  });
}

/** The default runtime where it is new enough: its version names Java's, like `2:1.17-74`. */
async function installJava(log: (line: string) => void): Promise<void> {
  const apt = createApt(log);
  try {
    await apt.update();
    const version = await apt.versionOf('default-jre-headless');
    const isNewEnough = Number(/^\d+:1\.(\d+)/.exec(version)?.[1]) >= OLDEST_JAVA;
    await apt.install(isNewEnough ? 'default-jre-headless' : `openjdk-${OLDEST_JAVA}-jre-headless`);
  } catch (error) {
    if (error instanceof AptFailed) throw new StartRefused(`${error.message} ${advice}`);
    throw error;
  }
}
