import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';

/** Calls `ensureJava` in a process whose PATH has only the test's own programs. */
const script = `
  import { ensureJava } from './tools/local/java/install.ts';
  await ensureJava((line) => console.log(line), JSON.parse(process.env.SYSTEM)).catch(({ name, message }) => console.log(name, message));
`;

const debianAsRoot = { isRoot: true, isDebian: true };

let path: string;

beforeEach(async () => {
  path = await mkdtemp(join(tmpdir(), 'omi-java-'));
});

afterEach(async () => {
  await rm(path, { recursive: true });
});

async function program(name: string, lines: string): Promise<void> {
  await writeFile(join(path, name), `#!/bin/sh\n${lines}\n`);
  await chmod(join(path, name), 0o755);
}

/** Says its version, and its modules. */
const java = (version: string, module = 'jdk.compiler') =>
  `echo 'openjdk version "${version}" 2025-04-15' >&2; echo ${module}@17`;

/** An apt that puts a Java of this version onto the path. */
async function apt({ defaultVersion = '2:1.17-74', installs = '17.0.15' } = {}): Promise<void> {
  await program('apt-cache', `echo 'Version: ${defaultVersion}'`);
  const made = `printf '#!/bin/sh\\n%s\\n' "${java(installs).replaceAll('"', '\\"')}" > ${path}/java; /bin/chmod +x ${path}/java`;
  await program(
    'apt-get',
    `echo "$DEBIAN_FRONTEND $*" >> ${path}/asked
    case "$*" in *install*) echo "Unpacking a Java"; echo "Reading database"; ${made};; esac`,
  );
}

const asked = async () => await readFile(join(path, 'asked'), 'utf8').catch(() => '');

async function ensure(system = debianAsRoot, environment: NodeJS.ProcessEnv = {}): Promise<string> {
  const env = { PATH: path, SYSTEM: JSON.stringify(system), ...environment };
  return await new Promise((resolve) => {
    execFile(process.execPath, ['--input-type=module', '--eval', script], { env }, (_, stdout, stderr) =>
      resolve(stdout + stderr),
    );
  });
}

describe('a Java with a supported version', () => {
  test.each(['17.0.15', '21', '25.0.1'])('%s is supported', async (version) => {
    await program('java', java(version));
    expect(await ensure()).toBe('');
  });

  test('needs a compiler', async () => {
    await program('java', java('17.0.15', 'java.base'));
    expect(await ensure()).toContain('needs a Java with the module jdk.compiler, which java lacks. Install');
  });

  test('is preferred in JAVA_HOME to one in the path', async () => {
    await program('java', java('11.0.2'));
    const home = await mkdtemp(join(path, 'home-'));
    const bin = join(home, 'bin');
    await mkdir(bin);
    await writeFile(join(bin, 'java'), `#!/bin/sh\n${java('17.0.1')}\n`, { mode: 0o755 });
    expect(await ensure(debianAsRoot, { JAVA_HOME: home })).toBe('');
  });
});

describe('a missing Java', () => {
  test.each([
    ['installing needs root', { isRoot: false, isDebian: true }],
    ['elsewhere than on Debian', { isRoot: true, isDebian: false }],
  ])('is reported in one line with advice: %s', async (_, system) => {
    await apt();
    expect(await ensure(system)).toMatch(
      /^StartError There is no Java .*Java runtime of version 17 or newer.*\n$/,
    );
    expect(await asked()).toBe('');
  });

  test('is installed for root on Debian, with progress on the terminal', async () => {
    await apt();
    const said = await ensure();
    expect(said).toContain('There is no Java');
    expect(said).toContain(
      'apt-get install --yes --no-install-recommends default-jre-headless\n  Unpacking a Java\n',
    );
    expect(said).not.toContain('StartError');
    expect(await asked()).toBe(
      'noninteractive -o DPkg::Lock::Timeout=300 update\n' +
        'noninteractive -o DPkg::Lock::Timeout=300 install --yes --no-install-recommends default-jre-headless\n',
    );
  });

  test.each(['2:1.11-72', ''])(
    'is installed in version 17 if the default version is %j',
    async (defaultVersion) => {
      await apt({ defaultVersion });
      expect(await ensure()).not.toContain('StartError');
      expect(await asked()).toContain('openjdk-17-jre-headless');
    },
  );

  test('is reported if the installation did not help', async () => {
    await apt({ installs: '11.0.2' });
    expect(await ensure()).toMatch(/StartError DynamoDB Local needs Java 17 or newer; java is version 11\./);
  });

  test('is reported if the installation fails', async () => {
    await apt();
    await program('apt-get', 'echo "E: No network" >&2; exit 100');
    expect(await ensure()).toMatch(/StartError apt-get update failed: E: No network Install a Java runtime/);
  });

  test('is installed after another apt has ended', async () => {
    await apt();
    const rest = (await readFile(join(path, 'apt-get'), 'utf8')).replace('#!/bin/sh', '');
    await program(
      'apt-get',
      `[ -e ${path}/waited ] || { echo > ${path}/waited; echo "E: Could not get lock /var/lib/apt/lists/lock." >&2; exit 100; }\n${rest}`,
    );
    expect(await ensure()).not.toContain('StartError');
    expect(await asked()).toContain(' update\n');
  });
});

test('an old Java is reported in one line and not replaced', async () => {
  await program('java', java('11.0.2'));
  await apt();
  expect(await ensure()).toMatch(
    /^StartError DynamoDB Local needs Java 17 or newer; java is version 11\. .*\n$/,
  );
  expect(await asked()).toBe('');
});
