import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** What `npm pack --json` tells of a package. */
type Packed = { filename: string; size: number; files: { path: string }[] };

const projectManifest = '{ "private": true, "type": "module" }';

type Manifest = { dependencies?: Record<string, string>; peerDependencies?: Record<string, string> };

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
    const [packed, ...others] = await pack(folder, [workspace, ...besides]);
    await writeFile(join(folder, 'package.json'), projectManifest);
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

  /** For a package with dependencies: those of this repository, because npm would ask a registry for them. */
  static async createLinked(workspace: string): Promise<PackedProject> {
    const folder = await mkdtemp(join(tmpdir(), 'omi-packed-'));
    await writeFile(join(folder, 'package.json'), projectManifest);
    return await PackedProject.installLinked(folder, workspace);
  }

  /** Does the same in a folder that is a project already. */
  static async installLinked(folder: string, workspace: string): Promise<PackedProject> {
    const [packed] = await pack(folder, [workspace]);
    const installed = join(folder, 'node_modules', workspace);
    await mkdir(installed, { recursive: true });
    await run('tar', ['-xzf', join(folder, packed.filename), '--strip-components=1', '-C', installed]);
    const project = new PackedProject(folder, packed);
    const { dependencies, peerDependencies } = JSON.parse(
      await readFile(join(installed, 'package.json'), 'utf8'),
    ) as Manifest;
    for (const name of Object.keys({ ...dependencies, ...peerDependencies })) await project.link(name);
    return project;
  }

  /** A package of this repository's own `node_modules`. */
  async link(name: string): Promise<void> {
    const link = join(this.folder, 'node_modules', name);
    await mkdir(dirname(link), { recursive: true });
    await symlink(resolve('node_modules', name), link);
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
  async node(program: string, args: string[], env: NodeJS.ProcessEnv = process.env): Promise<string> {
    const { stdout } = await run(program, args, { cwd: this.folder, env });
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

async function pack(folder: string, names: string[]): Promise<[Packed, ...Packed[]]> {
  const options = ['--pack-destination', folder, '--json', '--loglevel=error'];
  const { stdout } = await run('npm', ['pack', ...names.map((name) => `--workspace=${name}`), ...options]);
  const [packed, ...others] = packedIn(stdout);
  if (packed === undefined) throw new Error(`npm pack made nothing: ${stdout}`);
  return [packed, ...others];
}

/** A list, or an object by the packages' names, depending on npm's version. */
function packedIn(stdout: string): Packed[] {
  const packed = JSON.parse(stdout) as Packed[] | Record<string, Packed>;
  return Object.values(packed);
}
