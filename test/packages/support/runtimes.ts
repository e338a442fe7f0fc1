/** Runtimes of servers besides Node.js, as their makers publish them on npm. */
import { installProgram, type NpmProgram } from './npm-programs.ts';

type Arch = 'x64' | 'arm64';
type Runtime = Omit<NpmProgram, 'packageName'> & { packages: Record<Arch, string> };

const runtimes = {
  deno: {
    title: 'Deno',
    packages: { x64: '@deno/linux-x64-glibc', arm64: '@deno/linux-arm64-glibc' },
    version: '2.9.6',
    path: 'deno',
  },
  bun: {
    title: 'Bun',
    packages: { x64: '@oven/bun-linux-x64', arm64: '@oven/bun-linux-aarch64' },
    version: '1.4.5',
    path: 'bin/bun',
  },
  workerd: {
    title: 'workerd',
    packages: { x64: '@cloudflare/workerd-linux-64', arm64: '@cloudflare/workerd-linux-arm64' },
    version: '1.20261117.1',
    path: 'bin/workerd',
  },
} satisfies Record<string, Runtime>;

/** @returns undefined if it cannot be installed, or does not run on this machine */
export async function findRuntime(name: keyof typeof runtimes): Promise<string | undefined> {
  const { packages, ...program } = runtimes[name];
  if (process.platform !== 'linux') return undefined;
  const packageName = packages[process.arch === 'arm64' ? 'arm64' : 'x64'];
  return await installProgram({ ...program, packageName });
}
