import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { routes } from '../lambdas/routes.ts';

const folders = [
  'bench',
  'bin',
  'bundling',
  'cli',
  'client',
  'core',
  'docs',
  'lambdas',
  'lib',
  'local',
  'test',
];

const files = folders.flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join(folder, name)),
);

type Import = { path: string; typeOnly: boolean };

const importsOf = (file: string): Import[] =>
  [...readFileSync(file, 'utf8').matchAll(/^(?:import|export)\s+(type\s)?[^;'"]*?['"](\.[^'"]+)['"]/gms)].map(
    ([, type, path = '']) => ({ path: normalize(join(dirname(file), path)), typeOnly: type !== undefined }),
  );

const imports = new Map(files.map((file) => [file, importsOf(file)]));

/** What the files of a folder may import, besides their own folder. */
const arrows: Record<string, string[]> = {
  'core/domain': [],
  'core/adapters': ['core/domain'],
  'core/device-protocol': ['core/domain'],
  'core/events': ['core/domain', 'docs/events'],
  'core/operations': ['core/domain', 'core/adapters', 'core/kernel/observability.ts', 'core/devices/push/push-metrics.ts'],
  'core/http': ['core/domain', 'core/device-protocol', 'core/kernel/observability.ts'],
  lambdas: ['core'],
  lib: [
    'bundling',
    'lambdas/routes.ts',
    'lambdas/event-sources.ts',
    'lambdas/tracing.ts',
    'core/aws/tables.ts',
    'core/aws/queues.ts',
    'core/http/edge.ts',
    'core/export/targets/target.ts',
    'core/kernel/retention.ts',
    'core/domain/tenant-policies',
    'package.json',
  ],
  bundling: [],
  client: [],
  cli: ['client', 'core', 'lambdas/routes.ts', 'package.json'],
  bench: ['bundling', 'client', 'core', 'docs/api/examples.ts', 'lambdas', 'local'],
  local: ['bundling', 'client', 'core', 'lambdas', 'package.json'],
};

const isIn = (path: string, place: string): boolean => path === place || path.startsWith(`${place}/`);

describe('imports go one way', () => {
  test.each(Object.entries(arrows))('%s', (folder, allowed) => {
    for (const file of files.filter((path) => isIn(path, folder))) {
      const strays = (imports.get(file) ?? [])
        .filter(({ path }) => !isIn(path, folder) && !allowed.some((place) => isIn(path, place)))
        // The shapes of the Lambdas' environments are what `lib` must give them.
        .filter(({ path, typeOnly }) => !(folder === 'lib' && typeOnly && path.startsWith('lambdas/')));
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

  test('in no circle', () => {
    const done = new Set<string>();
    const visit = (file: string, above: string[]): void => {
      if (above.includes(file)) throw new Error(`a circle of imports: ${[...above, file].join(' → ')}`);
      if (done.has(file)) return;
      for (const { path, typeOnly } of imports.get(file) ?? []) if (!typeOnly) visit(path, [...above, file]);
      done.add(file);
    };
    for (const file of files) visit(file, []);
    expect(done.size).toBeGreaterThan(50);
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
    expect(readFileSync(`lambdas/${lambda}/index.ts`, 'utf8')).toMatch(/= (bodiless|json|signed)Lambda\(/);
});
