import { execFileSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import manifest from '../package.json' with { type: 'json' };
import { routes } from '../lambdas/routes.ts';

const folders = [
  'bin',
  'bundling',
  'cli',
  'client',
  'core',
  'docs',
  'lambdas',
  'lib',
  'packages/cdk/src',
  'packages/consumer/src',
  'packages/device/conformance',
  'packages/device/src',
  'packages/elements/src',
  'packages/evidence/src',
  'packages/http/src',
  'packages/mcp/src',
  'packages/ui',
  'packages/testing/src',
  'packages/website/src',
  'pages',
  'test',
  'tools',
];

const files = folders.flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => join(folder, name)),
);

type Import = { path: string };

/** The packages of this repository, by the names in `imports` of package.json. */
const packages: Record<string, string> = Object.fromEntries(
  Object.entries(manifest.imports).map(([name, path]) => [name, normalize(path)]),
);

/** The file behind a name such as `#device` or `#ui/icon.tsx`; the longest name that fits says where. */
function fileOf(name: string): string | undefined {
  const isBelow = (known: string): boolean => known.endsWith('/*') && name.startsWith(known.slice(0, -1));
  const [room] = Object.keys(packages)
    .filter(isBelow)
    .toSorted((one, other) => other.length - one.length);
  return room === undefined ? packages[name] : packages[room]?.replace('*', name.slice(room.length - 1));
}

const importsOf = (file: string): Import[] =>
  [
    ...readFileSync(file, 'utf8').matchAll(
      /(?:^(?:import|export)\s+(?:type\s)?(?:[^;'"]*?\sas\s'[^']*')*[^;'"]*?|\bimport\()['"]([.#][^'"]+)['"]/gms,
    ),
  ].map(([, path = '']) => ({
    path: fileOf(path) ?? normalize(join(dirname(file), path)),
  }));

const imports = new Map(files.map((file) => [file, importsOf(file)]));

const devicePackage = packages['#device'] ?? '';
const consumerPackage = packages['#consumer'] ?? '';
const websitePackage = packages['#website'] ?? '';
const elementsPackage = packages['#elements'] ?? '';
const uiHeaders = fileOf('#ui/headers.ts') ?? '';

const kindRecords = [
  'core/export/kinds/records.ts',
  'core/export/kinds/kind-properties.ts',
  'core/export/kinds/target-names.ts',
  ...readdirSync('core/export/kinds').map((kind) => `core/export/kinds/${kind}/record.ts`),
];

/** All rooms, the lowest first. A file imports from its own room and from lower ones. */
const rooms = [
  'packages/evidence',
  'packages/http',
  'packages/consumer',
  'packages/device',
  'packages/website',
  'packages/testing',
  'packages/elements',
  'packages/mcp',
  'bundling',
  'client',
  'core',
  'packages/ui',
  'lambdas',
  'pages',
  'lib',
  'cli',
  'bin',
  'packages/cdk',
  'tools',
  'docs',
  'test',
];

/** What the files of a folder may import, besides their own folder; a room of core also imports `core/kernel`. */
const arrows: Record<string, string[]> = {
  'core/kernel': [],
  'core/aws': [],
  'core/events': ['core/aws'],
  'core/tenants': ['core/aws'],
  'core/access': ['core/tenants'],
  'core/keys': ['core/aws'],
  'core/openid': [
    'core/access',
    'core/keys',
    'core/aws',
    'core/callbacks',
    'core/confirmations',
    'core/devices',
    'core/events',
    'core/tenants',
  ],
  'core/outbound': ['core/aws'],
  'core/devices': ['core/aws', 'core/tenants', 'core/outbound'],
  'core/confirmations': ['core/aws', 'core/events', 'core/tenants', 'core/devices'],
  'core/callbacks': ['core/aws', 'core/tenants', 'core/confirmations', 'core/outbound'],
  'core/enrolment': [
    'core/aws',
    'core/events',
    'core/keys',
    'core/tenants',
    'core/devices',
    'core/confirmations',
  ],
  // Of a kind, the rooms below know what its record is and how it differs, and no code.
  'core/export/kinds/records.ts': ['core/events', 'core/outbound', ...kindRecords],
  'core/export/targets': ['core/aws', 'core/events', 'core/outbound', ...kindRecords],
  'core/export/delivery': ['core/aws', 'core/events', 'core/outbound', 'core/export/targets', ...kindRecords],
  'core/export/kinds': [
    'core/aws',
    'core/keys',
    'core/events',
    'core/outbound',
    'core/export/targets',
    'core/export/delivery',
  ],
  'core/export/verification': [
    'core/aws',
    'core/events',
    'core/outbound',
    'core/export/targets',
    'core/export/kinds',
  ],
  'core/export/replays': [
    'core/aws',
    'core/events',
    'core/export/targets',
    'core/export/delivery',
    ...kindRecords,
  ],
  'core/export/ledger': ['core/aws', 'core/events'],
  'core/export/log': ['core/aws', 'core/events'],
  'core/export/notices': [
    'core/aws',
    'core/events',
    'core/outbound',
    'core/tenants',
    'core/export/targets',
    'core/export/kinds/bus/source.ts',
    ...kindRecords,
  ],
  'core/signals': [
    'core/aws',
    'core/events',
    'core/keys',
    'core/outbound',
    'core/export/targets',
    'core/export/delivery',
    'core/export/kinds/signals',
  ],
  'core/staff': [
    'core/access',
    'core/aws',
    'core/confirmations',
    'core/devices',
    'core/enrolment',
    'core/events',
    'core/export',
    'core/tenants',
  ],
  'core/http': [
    'core/access',
    'core/confirmations',
    'core/devices',
    'core/events',
    'core/openid',
    'core/tenants',
  ],
  'core/lambda': ['core'],
  lambdas: ['core'],
  lib: [
    uiHeaders,
    'pages/app/build.ts',
    'pages/app/headers.ts',
    'pages/app/manifest.ts',
    'pages/app/src/i18n/texts.ts',
    'bundling',
    'pages/console/build.ts',
    'pages/console/headers.ts',
    'core/access/staff-member.ts',
    'pages/exports/build.ts',
    'pages/exports/headers.ts',
    'lambdas/routes.ts',
    'lambdas/event-sources.ts',
    'lambdas/filter-pattern.ts',
    'lambdas/registered.ts',
    'core/aws/key-operations.ts',
    'core/openid/metric-values.ts',
    'core/aws/tables.ts',
    'core/aws/queues.ts',
    'core/http/edge.ts',
    'core/kernel/base-urls.ts',
    'core/export/notices/contact.ts',
    'core/kernel/public-name.ts',
    'core/kernel/text.ts',
    'core/kernel/web-url.ts',
    'core/tenants/brand.ts',
    'core/export/targets/target.ts',
    'core/kernel/retention.ts',
    'core/export/kinds',
    'core/events/schemas/published.ts',
    'package.json',
    'cdk.json',
    'pages/bank/build.ts',
    'pages/bank/lambda/access.ts',
    'pages/bank/lambda/env.ts',
    'pages/bank/lambda/tables.ts',
  ],
  bundling: [],
  'packages/cdk': ['lib'],
  'packages/evidence': [],
  'packages/http': ['packages/evidence/src/bytes.ts'],
  'packages/consumer': ['packages/evidence', 'packages/http'],
  'packages/device/src': ['packages/http'],
  'packages/device/conformance': ['packages/device/src', 'packages/http'],
  'packages/website': ['packages/evidence', 'packages/http'],
  'packages/elements': [],
  'packages/mcp': [],
  'packages/testing': [],
  'packages/ui/src': ['core/kernel/hidden-characters.ts', 'packages/website/src/brand-colors.ts'],
  'packages/ui/testing': ['packages/ui/src', 'bundling/page.ts'],
  'pages/app': [
    'packages/ui/src',
    'bundling/page.ts',
    'core/kernel/hidden-characters.ts',
    'packages/website/src/brand-colors.ts',
    'packages/website/src/user-agent.ts',
    devicePackage,
  ],
  'pages/console': ['packages/ui/src', 'bundling/page.ts'],
  'pages/exports': ['packages/ui/src', 'bundling/page.ts', 'core/export/kinds/target-names.ts'],
  // It also builds the web app's own entry for the phone, and imports nothing of it.
  'pages/bank/build.ts': ['bundling/page.ts'],
  'pages/bank/headers.ts': [uiHeaders],
  'pages/bank/server': ['core/kernel/hidden-characters.ts', websitePackage],
  'pages/bank/lambda': ['core', uiHeaders, 'pages/bank/headers.ts', 'pages/bank/server', websitePackage],
  client: [devicePackage, websitePackage, 'packages/http'],
  cli: [
    'packages/http',
    'pages/app/headers.ts',
    'client',
    'core',
    'pages/console/headers.ts',
    'pages/exports/headers.ts',
    'lambdas/index.ts',
    'lambdas/routes.ts',
    'lib/config.ts',
    'package.json',
    'pages/bank/headers.ts',
    'pages/bank/lambda/connection.ts',
    consumerPackage,
    websitePackage,
  ],
  'tools/bench': [
    'bundling',
    'cli/program.ts',
    'client',
    'core',
    'tools/documents/api/document.ts',
    'lambdas',
    'tools/local',
    consumerPackage,
    websitePackage,
  ],
  'tools/local': [
    uiHeaders,
    'pages/app/build.ts',
    'pages/app/headers.ts',
    'bundling',
    'client',
    'core',
    'pages/console/build.ts',
    'pages/console/headers.ts',
    'pages/exports/build.ts',
    'pages/exports/headers.ts',
    'lambdas',
    'package.json',
    'pages/bank/build.ts',
    'pages/bank/headers.ts',
    'pages/bank/server',
    devicePackage,
    elementsPackage,
    websitePackage,
  ],
};

const isIn = (path: string, place: string): boolean => path === place || path.startsWith(`${place}/`);

describe('imports', () => {
  test('go down the order of the rooms', () => {
    const levelOf = (path: string): number => rooms.findIndex((room) => isIn(path, room));
    // Data, such as the OpenAPI document, is for all.
    const isUp = (file: string, path: string): boolean =>
      /\.tsx?$/.test(path) && levelOf(path) > levelOf(file);
    const up = [...imports].flatMap(([file, found]) =>
      found.filter(({ path }) => isUp(file, path)).map(({ path }) => `${file} imports ${path}`),
    );
    expect(up).toEqual([]);
    expect(files.filter((file) => levelOf(file) === -1)).toEqual([]);
  });

  test.each(Object.entries(arrows))('go one way from %s', (folder, allowed) => {
    for (const file of files.filter((path) => isIn(path, folder))) {
      const places = [folder, ...allowed, ...(folder.startsWith('core/') ? ['core/kernel'] : [])];
      const strays = (imports.get(file) ?? []).filter(
        ({ path }) => !places.some((place) => isIn(path, place)),
      );
      expect(strays.map(({ path }) => `${file} imports ${path}`)).toEqual([]);
    }
  });

  test('no Lambda imports another', () => {
    for (const file of files.filter((path) => path.split('/').length > 2 && path.startsWith('lambdas/'))) {
      const [, own = ''] = file.split('/');
      const others = (imports.get(file) ?? []).filter(
        ({ path }) =>
          path.startsWith('lambdas/') && path.split('/').length > 2 && !isIn(path, `lambdas/${own}`),
      );
      expect(others.map(({ path }) => `${file} imports ${path}`)).toEqual([]);
    }
  });

  test('form no circle, not even by types alone', () => {
    const done = new Set<string>();
    const visit = (file: string, above: string[]): void => {
      if (above.includes(file)) throw new Error(`a circle of imports: ${[...above, file].join(' → ')}`);
      if (done.has(file)) return;
      for (const { path } of imports.get(file) ?? []) visit(path, [...above, file]);
      done.add(file);
    };
    for (const file of files) visit(file, []);
    expect(done.size).toBeGreaterThan(50);
  });

  test('lead from packages only to their own files, libraries bundled into pages, and Node.js for consumers', () => {
    // A program of its own, which no page bundles: its package.json says what it needs.
    const isProgram = (file: string): boolean => isIn(file, 'packages/mcp');
    const sources = files.filter(
      (file) => isIn(file, 'packages') && !isIn(file, 'packages/ui/testing') && !isProgram(file),
    );
    const bundled = "from 'lean-qr/nano'";
    const isAllowed = (found: string, file: string): boolean =>
      (found === bundled && isIn(file, 'packages/elements')) ||
      (found === "from 'react'" && file.endsWith('elements/src/react.ts')) ||
      (["from 'preact'", "from 'oauth4webapi'"].includes(found) && isIn(file, 'packages/ui')) ||
      // Of the website's own copy, so that a class is the same class.
      (found === "from '@omi/website'" && isIn(file, 'packages/testing')) ||
      // A website that keeps its values in DynamoDB has the client.
      (found.startsWith('import(') && file.endsWith('website/src/stores/dynamo-store.ts')) ||
      // Consumers, tests and the conformance suite run in Node.js alone.
      (found.startsWith("from 'node:") &&
        ['packages/consumer', 'packages/testing', 'packages/device/conformance'].some((room) =>
          isIn(file, room),
        ));
    const foreign = (file: string): string[] =>
      [...readFileSync(file, 'utf8').matchAll(/\bfrom '([^.][^']*)'|\bimport\((?!'\.)/g)]
        .map(([found]) => found)
        .filter((found) => !isAllowed(found, file));
    expect(sources.flatMap(foreign)).toEqual([]);
    expect(sources.length).toBeGreaterThan(5);
  });

  test('each file of core is in a room', () => {
    const roomsOfCore = Object.keys(arrows).filter((folder) => folder.startsWith('core/'));
    const isInRoom = (file: string): boolean => roomsOfCore.some((folder) => isIn(file, folder));
    expect(files.filter((file) => isIn(file, 'core') && !isInRoom(file))).toEqual([]);
  });

  test('AWS is called only in files named as stores, queues, writers, probes or clients', () => {
    const roles = /-(store|queue|writer|probe|clients?)\.ts$/;
    const importsAws = (file: string): boolean => readFileSync(file, 'utf8').includes("from '@aws-sdk/");
    const inService = files.filter((file) => ['cli', 'core', 'lambdas'].some((room) => isIn(file, room)));
    expect(inService.filter((file) => importsAws(file) && !roles.test(file))).toEqual([]);
    expect(inService.filter(importsAws).length).toBeGreaterThan(10);
  });

  test('every module of core is used', () => {
    const used = new Set([...imports.values()].flat().map(({ path }) => path));
    expect(files.filter((file) => isIn(file, 'core') && !used.has(file))).toEqual([]);
  });
});

test('folders and files say what is inside', () => {
  const vague = /(^|\/)(utils?|common|shared|helpers?|misc)(\/|\.ts$)/;
  expect(files.filter((file) => vague.test(file))).toEqual([]);
});

test('every endpoint is behind the one middleware stack, with its limits and refusals', () => {
  for (const { lambda } of routes)
    expect(readFileSync(`lambdas/${lambda}/index.ts`, 'utf8')).toMatch(
      /= (bodiless|json|list|oauth|signed)Lambda\(/,
    );
});

test('the top holds what is named here, and nothing else', () => {
  const kept = ['ls-files', '--cached', '--others', '--exclude-standard', '-z'];
  const paths = execFileSync('git', kept, { encoding: 'utf8', maxBuffer: 2 ** 24 }).split('\0');
  const top = new Set(paths.filter((path) => path !== '').map((path) => path.replace(/\/.*/, '/')));
  expect([...top].toSorted()).toEqual(
    [
      // What it is, how it is used, built, changed and reported on.
      ...['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md', 'AGENTS.md', 'LICENSE', 'docs/'],
      // The product: programs, stacks, Lambdas and what they share, pages, and packages for others.
      ...['bin/', 'cli/', 'client/', 'core/', 'lambdas/', 'lib/', 'pages/', 'packages/', 'cdk.json'],
      // What proves and builds it.
      ...['bundling/', 'test/', 'tools/', 'package.json', 'package-lock.json', 'tsconfig.json'],
      ...['jest.config.js', 'eslint.config.js', 'oxlint.config.js', '.oxfmtrc.json', 'redocly.yaml'],
      ...['.redocly.lint-ignore.yaml', '.editorconfig', '.gitignore', '.npmrc', '.nvmrc'],
      ...['.changeset/', '.ci/', '.devcontainer/', '.github/'],
    ].toSorted(),
  );
});
