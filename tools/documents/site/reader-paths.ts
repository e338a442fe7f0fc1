import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const root = join(import.meta.dirname, '../../..');

/** A page of the repository, from its root, and its place in the path of its readers: no two alike. */
export type Page = { source: string; slug: string };
export type Task = { task: string; pages: Page[] };
export type ReaderPath = { id: string; reader: string; promise: string; tasks: Task[] };

const page = (source: string, slug: string): Page => ({ source, slug });
const ofPackage = (name: string): Page => page(`packages/${name}/README.md`, `package-${name}`);
const ofOperations = (name: string): Page => page(`docs/operations/${name}.md`, name);

const decisions = readdirSync(join(root, 'docs/adr'))
  .filter((name) => /^\d{4}-.*\.md$/.test(name))
  .toSorted();

/** One path for each reader, by task, in the order in which they need the pages. */
export const readerPaths: ReaderPath[] = [
  {
    id: 'websites',
    reader: 'Website developers',
    promise: 'Ask a user to confirm, and act only on a verified yes.',
    tasks: [
      {
        task: 'Start',
        pages: [
          page('docs/step-up-in-ten-minutes.md', 'ten-minutes'),
          page('docs/playground.md', 'playground'),
          page('docs/websites.md', 'guide'),
        ],
      },
      { task: 'Build', pages: [ofPackage('website'), ofPackage('elements')] },
      { task: 'Test', pages: [page('docs/test-your-website.md', 'test'), ofPackage('testing')] },
      {
        task: 'Other ways',
        pages: [
          page('docs/websites-by-hand.md', 'by-hand'),
          ofPackage('python'),
          page('docs/move-from-polling.md', 'move-from-polling'),
          page('docs/openid-connect.md', 'openid-connect'),
          page('docs/ciba.md', 'ciba'),
        ],
      },
      { task: 'AI agents', pages: [page('docs/agents.md', 'agents'), ofPackage('mcp')] },
      {
        task: 'When something goes wrong',
        pages: [page('docs/errors.md', 'errors'), page('docs/website-threats.md', 'threats')],
      },
    ],
  },
  {
    id: 'operators',
    reader: 'Operators',
    promise: 'Deploy a stage into your own AWS account, and keep it well.',
    tasks: [
      {
        task: 'Deploy',
        pages: [
          page('docs/first-deployment.md', 'first-deployment'),
          ofPackage('cdk'),
          ofOperations('deploy'),
          ofOperations('web-app'),
        ],
      },
      {
        task: 'Operate',
        pages: [
          page('docs/operations/README.md', 'tasks'),
          ofOperations('tenants'),
          ofOperations('watch'),
          ofOperations('alarms'),
          ofOperations('breakages'),
          ofOperations('rotate'),
          ofOperations('restore'),
          ofOperations('decommission'),
        ],
      },
      { task: 'Help users', pages: [page('docs/help-desk.md', 'help-desk-page'), ofOperations('help-desk')] },
      {
        task: 'Look up',
        pages: [page('docs/cli.md', 'commands'), page('docs/scaling.md', 'cost-and-scale')],
      },
    ],
  },
  {
    id: 'tenants',
    reader: 'Tenants',
    promise: 'Get every event into your own cloud, and prove that none is missing.',
    tasks: [
      { task: 'Receive events', pages: [page('docs/tenants.md', 'exports'), ofPackage('consumer')] },
      { task: 'Tell others', pages: [page('docs/signals.md', 'signals')] },
      { task: 'Look up', pages: [page('docs/events/README.md', 'events')] },
    ],
  },
  {
    id: 'devices',
    reader: 'Device implementers',
    promise: 'Build the protocol into an app of your own, and show that it is right.',
    tasks: [
      {
        task: 'Implement',
        pages: [
          page('docs/device-protocol.md', 'protocol'),
          ofPackage('device'),
          ofPackage('device-kotlin'),
          ofPackage('device-swift'),
        ],
      },
      { task: 'Check', pages: [page('packages/device/CONFORMANCE.md', 'conformance')] },
    ],
  },
  {
    id: 'project',
    reader: 'Auditors and contributors',
    promise: 'See what is promised, what proves it, and how it is made.',
    tasks: [
      {
        task: 'Audit',
        pages: [page('SECURITY.md', 'security'), page('docs/models/README.md', 'models')],
      },
      {
        task: 'Contribute',
        pages: [
          page('CONTRIBUTING.md', 'contributing'),
          page('docs/architecture.md', 'architecture'),
          page('test/README.md', 'tests'),
          page('docs/performance.md', 'performance'),
          page('CHANGELOG.md', 'changelog'),
        ],
      },
      {
        task: 'Decisions',
        pages: [
          page('docs/adr/README.md', 'decisions'),
          ...decisions.map((name) => page(`docs/adr/${name}`, `adr-${name.replace('.md', '')}`)),
        ],
      },
    ],
  },
];

/** Belongs to every reader. */
export const glossary = page('docs/glossary.md', 'glossary');

/** The place at the site of each page of the repository, such as `websites/guide.md`. */
export const places: ReadonlyMap<string, string> = new Map([
  ...readerPaths.flatMap(({ id, tasks }) =>
    tasks.flatMap(({ pages }) => pages.map(({ source, slug }) => [source, `${id}/${slug}.md`] as const)),
  ),
  [glossary.source, 'reference/glossary.md'] as const,
]);

const titles = new Map<string, string>();

/** The first heading of a page. */
export function titleOf(source: string): string {
  const known = titles.get(source);
  if (known !== undefined) return known;
  const [, title = source] = /^# (.+)$/m.exec(readFileSync(join(root, source), 'utf8')) ?? [];
  titles.set(source, title.replaceAll('`', ''));
  return titleOf(source);
}

/** Pages of `docs/` that no reader would find. */
export const withoutPlace = (): string[] =>
  readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .map((name) => `docs/${name}`)
    .filter((name) => name.endsWith('.md') && !/\/(\.vitepress|node_modules|images)\//.test(name))
    .filter((name) => !places.has(name) && existsSync(join(root, name)));
