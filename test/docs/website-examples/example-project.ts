import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { build } from 'esbuild';
import { eventually } from '../../support/waiting.ts';
import type { TestStack } from '../../support/stack.ts';
import { fixedPort } from '../../support/fixed-port.ts';

const examples = resolve('docs/examples');
const names = [
  'help-desk.ts',
  'website-bank.ts',
  'website-callback',
  'website-express',
  'website-fastify',
  'website-hono',
  'website-next',
  'website-next-session',
];

/** As `.local/website.env` has them. */
export const environmentOf = ({ file }: TestStack): Record<string, string> => ({
  OMI_BASE_URL: file.baseUrl,
  OMI_TOKEN_URL: file.tokenUrl,
  OMI_TENANT_ID: file.tenants[0].tenantId,
  OMI_CLIENT_ID: file.tenants[0].clientId,
  OMI_CLIENT_SECRET: file.tenants[0].clientSecret,
});

/** Puts a package of this repository into a folder of packages, with these entries. */
async function install(packages: string, name: string, entries: Record<string, string>): Promise<void> {
  const outdir = join(packages, name);
  const entryPoints = Object.entries(entries).map(([entry, file]) => ({
    in: file,
    out: entry === '.' ? 'index' : basename(entry),
  }));
  await build({ entryPoints, bundle: true, format: 'esm', outdir, external: ['react'] });
  const exports = Object.fromEntries(
    Object.keys(entries).map((entry, index) => [entry, `./${entryPoints[index]?.out}.js`]),
  );
  await writeFile(
    join(outdir, 'package.json'),
    JSON.stringify({ name, version: '0.0.0', type: 'module', exports }),
  );
}

/** A project with copies of the examples, in which `@omi/website` is installed. */
export class ExampleProject {
  readonly folder: string;
  readonly #started: ChildProcess[] = [];

  private constructor(folder: string) {
    this.folder = folder;
  }

  /**
   * @param links packages that come from this repository's own dependencies
   * @param parent a folder whose packages the project has as well
   */
  static async create(links: readonly string[], parent = tmpdir()): Promise<ExampleProject> {
    const folder = await mkdtemp(join(parent, 'omi-examples-'));
    const packages = join(folder, 'node_modules');
    await install(packages, '@omi/website', { '.': 'packages/website/src/index.ts' });
    await install(packages, '@omi/elements', { './react': 'packages/elements/src/react.ts' });
    await writeFile(join(folder, 'package.json'), '{ "private": true, "type": "module" }');
    for (const name of links) {
      await mkdir(dirname(join(packages, name)), { recursive: true });
      await symlink(resolve('node_modules', name), join(packages, name));
    }
    for (const name of names) await cp(join(examples, name), join(folder, name), { recursive: true });
    return new ExampleProject(folder);
  }

  async write(path: string, content: string): Promise<string> {
    await writeFile(join(this.folder, path), content);
    return join(this.folder, path);
  }

  /** Starts a program that listens on the port, and returns its URL once it answers. */
  async start(
    program: string,
    args: string[] | ((port: number) => string[] | Promise<string[]>),
    { env, cwd = '.' }: { env: Record<string, string>; cwd?: string },
  ): Promise<string> {
    const port = await fixedPort();
    const url = `http://127.0.0.1:${port}`;
    const child = spawn(program, typeof args === 'function' ? await args(port) : args, {
      cwd: join(this.folder, cwd),
      env: { PATH: process.env['PATH'], ...env, PORT: String(port), ORIGIN: url },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    this.#started.push(child);
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (output += String(data)));
    const answers = async (): Promise<boolean | undefined> => {
      if (child.exitCode !== null) throw new Error(`${program} ended: ${output}`);
      return await fetch(`${url}/omi/devices`).then(
        () => true,
        () => undefined,
      );
    };
    await eventually(`${program} listens`, answers);
    return url;
  }

  async stop(): Promise<void> {
    for (const child of this.#started.splice(0)) {
      if (child.pid === undefined || child.exitCode !== null) continue;
      // Its output closes when the last program of its group has ended: some start others.
      const ended = once(child, 'close');
      process.kill(-child.pid, 'SIGKILL');
      await ended;
    }
  }

  async remove(): Promise<void> {
    await this.stop();
    await rm(this.folder, { recursive: true, force: true });
  }
}
