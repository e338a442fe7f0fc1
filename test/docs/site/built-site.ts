import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from '@jest/globals';
import { startDocsServer } from '../../../tools/local/docs/docs-server.ts';

export type BuiltSite = {
  url: string;
  folder: string;
  /** Paths of all pages, from the folder. */
  pages: () => Promise<string[]>;
  read: (page: string) => Promise<string>;
};

/** Builds the site for the tests of a file, as the main branch with a release beside it, and serves it. */
export function useBuiltSite(): BuiltSite {
  const site: BuiltSite = {
    url: '',
    folder: '',
    pages: async () =>
      (await readdir(site.folder, { recursive: true })).filter((name) => name.endsWith('.html')),
    read: async (page) => await readFile(join(site.folder, page), 'utf8'),
  };
  let close = async (): Promise<void> => await Promise.resolve();

  beforeAll(async () => {
    site.folder = await mkdtemp(join(tmpdir(), 'omi-site-'));
    await build(site.folder);
    const server = await startDocsServer({ port: 0, apiUrl: 'http://127.0.0.1:9', folder: site.folder });
    ({ close } = server);
    site.url = server.url;
  });
  afterAll(async () => {
    await close();
    await rm(site.folder, { recursive: true, force: true });
  });
  return site;
}

async function build(folder: string): Promise<void> {
  const child = spawn(process.execPath, ['tools/documents/site/build.ts', folder], {
    env: {
      ...process.env,
      NODE_ENV: undefined,
      DOCS_VERSIONS: 'v0.1.0',
      GITHUB_SERVER_URL: 'https://github.example',
      GITHUB_REPOSITORY: 'owner/omi',
      GITHUB_SHA: 'abcdef',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) throw new Error(`The site was not built:\n${output.slice(-3_000)}`);
}
