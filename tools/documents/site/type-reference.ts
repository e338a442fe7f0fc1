import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Application, type TypeDocOptions } from 'typedoc';
import { root } from './reader-paths.ts';

export type TypedModule = {
  /** The name of its page. */
  name: string;
  /** As its users import it. */
  module: string;
  /** Its folder in `packages/`. */
  folder: string;
  entry: string;
};

export const typedModules: TypedModule[] = [
  { name: 'website', module: '@omi/website', folder: 'website', entry: 'src/index.ts' },
  { name: 'website-stores', module: '@omi/website/stores', folder: 'website', entry: 'src/stores/index.ts' },
  { name: 'elements', module: '@omi/elements', folder: 'elements', entry: 'src/index.ts' },
  { name: 'elements-react', module: '@omi/elements/react', folder: 'elements', entry: 'src/react.ts' },
  { name: 'testing', module: '@omi/testing', folder: 'testing', entry: 'src/index.ts' },
  { name: 'mcp', module: '@omi/mcp', folder: 'mcp', entry: 'src/index.ts' },
  { name: 'consumer', module: '@omi/consumer', folder: 'consumer', entry: 'src/index.ts' },
  { name: 'device', module: '@omi/device', folder: 'device', entry: 'src/index.ts' },
];

/** Its own, and those of its plugin. */
type Options = Partial<TypeDocOptions> & Record<string, unknown>;

const options = {
  plugin: ['typedoc-plugin-markdown'],
  readme: 'none',
  disableSources: true,
  disableGit: true,
  excludePrivate: true,
  excludeProtected: true,
  excludeExternals: true,
  excludeInternal: true,
  // `npm run types` checks them.
  skipErrorChecking: true,
  logLevel: 'Error',
  // All of a module on one page.
  outputFileStrategy: 'modules',
  entryFileName: 'index',
  hideBreadcrumbs: true,
  hidePageHeader: true,
  sanitizeComments: true,
  parametersFormat: 'table',
  interfacePropertiesFormat: 'table',
  classPropertiesFormat: 'table',
  typeAliasPropertiesFormat: 'table',
  typeDeclarationFormat: 'table',
} satisfies Options;

async function pageOf({ module, folder, entry }: TypedModule): Promise<string> {
  const out = await mkdtemp(join(tmpdir(), 'omi-types-'));
  try {
    const all: Options = {
      ...options,
      out,
      name: module,
      entryPoints: [join(root, 'packages', folder, entry)],
      tsconfig: join(root, 'packages', folder, 'tsconfig.json'),
    };
    const app = await Application.bootstrapWithPlugins(all);
    const project = await app.convert();
    if (!project) throw new Error(`The types of ${module} cannot be read`);
    await app.generateOutputs(project);
    const text = await readFile(join(out, 'index.md'), 'utf8');
    return `# Types of ${module}\n\n${text.replace(/^# .*$/m, '').trim()}\n`;
  } finally {
    await rm(out, { recursive: true, force: true });
  }
}

/** Writes a page for each module into the folder. */
export async function writeTypeReference(folder: string): Promise<void> {
  for (const module of typedModules) await writeFile(join(folder, `${module.name}.md`), await pageOf(module));
}
