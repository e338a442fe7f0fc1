import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** What `npm pack --json` tells of a package. */
type Packed = { filename: string; size: number; files: { path: string }[] };

/** An empty project into which the packed package is installed, as a reader of its documentation would do it. */
export class PackedProject {
  readonly folder: string;
  readonly packed: Packed;

  private constructor(folder: string, packed: Packed) {
    this.folder = folder;
    this.packed = packed;
  }

  /** @param besides packages that it needs */
  static async create(workspace: string, ...besides: string[]): Promise<PackedProject> {
    const folder = await mkdtemp(join(tmpdir(), 'omi-packed-'));
    const options = ['--pack-destination', folder, '--json', '--loglevel=error'];
    const workspaces = [workspace, ...besides].map((name) => `--workspace=${name}`);
    const { stdout } = await run('npm', ['pack', ...workspaces, ...options]);
    const [packed, ...others] = packedIn(stdout);
    if (packed === undefined) throw new Error(`npm pack made nothing: ${stdout}`);
    await writeFile(join(folder, 'package.json'), '{ "private": true, "type": "module" }');
    await run(
      'npm',
      [
        'install',
        '--offline',
        '--no-audit',
        '--no-fund',
        ...[packed, ...others].map(({ filename }) => `./${filename}`),
      ],
      {
        cwd: folder,
      },
    );
    return new PackedProject(folder, packed);
  }

  async read(path: string): Promise<string> {
    return await readFile(join(this.folder, path), 'utf8');
  }

  async write(path: string, content: string): Promise<string> {
    await writeFile(join(this.folder, path), content);
    return join(this.folder, path);
  }

  /** The names of everything that npm installed. */
  async installed(): Promise<string[]> {
    const { packages } = JSON.parse(await this.read('package-lock.json')) as { packages: object };
    return Object.keys(packages).filter((path) => path !== '');
  }

  async filesOf(path: string): Promise<string[]> {
    return await readdir(join(this.folder, path), { recursive: true });
  }

  /** Runs a program of Node.js in the project, and returns what it prints. */
  async node(program: string, args: string[]): Promise<string> {
    const { stdout } = await run(program, args, { cwd: this.folder });
    return stdout;
  }

  /**
   * Checks types in each of these ways, also of the package's declarations, but not the compiler's own. Throws with what the
   * compiler says. One process reads for all of them what they have in common.
   */
  async compile(compiler: string, ways: Record<string, object>, files: string[]): Promise<void> {
    const configs = Object.entries(ways).map(async ([name, options]) => {
      const compilerOptions = { strict: true, noEmit: true, skipDefaultLibCheck: true, ...options };
      return await this.write(`tsconfig.${name}.json`, JSON.stringify({ compilerOptions, files }));
    });
    const args = ['--build', '--force', '--verbose', ...(await Promise.all(configs))];
    await run(process.execPath, [resolve('node_modules', compiler), ...args]).catch((error: unknown) => {
      throw new Error(error instanceof Error && 'stdout' in error ? String(error.stdout) : String(error));
    });
  }

  async remove(): Promise<void> {
    await rm(this.folder, { recursive: true });
  }
}

/** A list, or an object by the packages' names, depending on npm's version. */
function packedIn(stdout: string): Packed[] {
  const packed = JSON.parse(stdout) as Packed[] | Record<string, Packed>;
  return Object.values(packed);
}
