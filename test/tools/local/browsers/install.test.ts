import { execFile } from 'node:child_process';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { findBrowser } from '../../../../tools/local/browsers/find.ts';

/** Calls `ensureBrowser` in a process whose PATH has only the test's own programs. */
const script = `
  import { ensureBrowser } from './tools/local/browsers/install.ts';
  const { NAME, SYSTEM } = process.env;
  await ensureBrowser(NAME, (line) => console.log(line), JSON.parse(SYSTEM))
    .then((path) => console.log('found', path), ({ name, message }) => console.log(name, message));
`;

const debianAsRoot = { isRoot: true, isDebian: true };

let path: string;

beforeEach(async () => {
  path = await mkdtemp(join(tmpdir(), 'omi-browser-'));
});
afterEach(async () => {
  await rm(path, { recursive: true });
});

async function program(name: string, lines = ''): Promise<string> {
  const file = join(path, name);
  await writeFile(file, `#!/bin/sh\n${lines}\n`);
  await chmod(file, 0o755);
  return file;
}

/** An apt that installs the browser as Debian names it. */
const apt = async (installs = ['chromium', 'firefox-esr']): Promise<string> =>
  await program(
    'apt-get',
    `echo "$*" >> ${path}/asked
    for name in ${installs.join(' ')}; do
      case "$*" in *"install"*" $name") printf '#!/bin/sh\\n' > ${path}/$name; /bin/chmod +x ${path}/$name;; esac
    done`,
  );

const asked = async () => await readFile(join(path, 'asked'), 'utf8').catch(() => '');

type Run = { name?: string; system?: object; environment?: NodeJS.ProcessEnv };

async function ensure({ name = 'chromium', system = debianAsRoot, environment = {} }: Run = {}) {
  const env = { PATH: path, NAME: name, SYSTEM: JSON.stringify(system), ...environment };
  return await new Promise<string>((resolve) => {
    execFile(process.execPath, ['--input-type=module', '--eval', script], { env }, (_, stdout, stderr) =>
      resolve(stdout + stderr),
    );
  });
}

describe('the search for a browser', () => {
  test.each([
    ['chromium', 'chromium', 'google-chrome'],
    ['chromium', 'google-chrome', 'chromium-browser'],
    ['firefox', 'firefox-esr', 'firefox'],
  ] as const)('finds %s: %s before %s', async (name, first, second) => {
    await program(second);
    expect(findBrowser(name, { PATH: path })).toBe(join(path, second));
    await program(first);
    expect(findBrowser(name, { PATH: `/nowhere${delimiter}${path}` })).toBe(join(path, first));
  });

  test.each([
    ['chromium', 'OMI_CHROMIUM'],
    ['firefox', 'OMI_FIREFOX'],
  ] as const)('finds %s at the path in %s', async (name, variable) => {
    await program('chromium');
    await program('firefox');
    const other = await program('other');
    expect(findBrowser(name, { PATH: path, [variable]: other })).toBe(other);
  });

  test('skips a browser that cannot be run', async () => {
    await writeFile(join(path, 'firefox'), '', { mode: 0o644 });
    expect(findBrowser('firefox', { PATH: path })).toBeUndefined();
  });
});

describe('a missing browser', () => {
  test.each([
    ['chromium', 'chromium'],
    ['firefox', 'firefox-esr'],
  ])('%s is installed for root on Debian, as %s', async (name, installed) => {
    await apt();
    expect(await ensure({ name })).toContain(`found ${join(path, installed)}\n`);
    expect(await asked()).toMatch(
      new RegExp(` update\n.* install --yes --no-install-recommends ${installed}\n$`),
    );
  });

  test.each([
    ['installing needs root', { isRoot: false, isDebian: true }],
    ['elsewhere than on Debian', { isRoot: true, isDebian: false }],
  ])('is reported in one line with advice: %s', async (_, system) => {
    await apt();
    expect(await ensure({ system })).toMatch(
      /^StartError There is no chromium here\. Install it \(.*\), or set OMI_CHROMIUM to its program\.\n$/,
    );
    expect(await asked()).toBe('');
  });

  test('is reported if apt has none, as on Ubuntu', async () => {
    await program(
      'apt-get',
      'case "$*" in *install*) echo "E: Unable to locate package" >&2; exit 100;; esac',
    );
    expect(await ensure()).toMatch(/StartError apt-get install .*Unable to locate package Install it/);
  });

  test('is reported if the installation did not help', async () => {
    await apt([]);
    expect(await ensure()).toContain('StartError There is no chromium here, even after its installation.');
  });

  test('is not installed if the environment names another one', async () => {
    await apt();
    const said = await ensure({ environment: { OMI_CHROMIUM: '/nowhere/chrome' } });
    expect(said).toMatch(
      /^StartError OMI_CHROMIUM is \/nowhere\/chrome, which is not a program\. Install.*\n$/,
    );
    expect(await asked()).toBe('');
  });
});
