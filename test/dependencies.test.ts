import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { Runtime } from 'aws-cdk-lib/aws-lambda';
import { resourcesOf, synthesize } from './lib/synthesize.ts';

type Manifest = {
  engines: { node: string };
  optionalDependencies: Record<string, string>;
};
type Locked = {
  version?: string;
  resolved?: string;
  link?: boolean;
};

const read = (file: string): unknown => JSON.parse(readFileSync(file, 'utf8'));
const manifest = read('package.json') as Manifest;
const { packages } = read('package-lock.json') as { packages: Record<string, Locked> };
const locked = Object.entries(packages).filter(([path]) => path !== '');
const nameOf = (path: string): string =>
  path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
const numbersOf = (version: string): number[] => version.split('.').map((part) => Number.parseInt(part, 10));

const isBefore = (version: string, other: string): boolean => {
  const [ours, theirs] = [numbersOf(version), numbersOf(other)];
  const first = ours.findIndex((number, position) => number !== theirs[position]);
  return first >= 0 && (ours[first] ?? 0) < (theirs[first] ?? 0);
};

describe('the lock file', () => {
  test('names no registry', () => {
    expect(locked.filter(([, { resolved, link }]) => resolved !== undefined && !link)).toEqual([]);
  });

  test.each([
    // Proto6, among them CVE-2026-44291: code execution by a schema.
    ['protobufjs', '7.5.6'],
  ])('has no vulnerable %s before %s', (name, fixed) => {
    const versions = locked.flatMap(([path, { version }]) =>
      version !== undefined && nameOf(path) === name ? [version] : [],
    );
    expect(versions.length).toBeGreaterThan(0);
    expect(versions.filter((version) => isBefore(version, fixed))).toEqual([]);
  });
});

describe('the version of Node.js', () => {
  const [major = Number.NaN] = numbersOf(manifest.engines.node);

  test('in `engines` is exactly the major of the Lambda runtime', () => {
    expect(manifest.engines.node).toBe(`${major}.x`);
    const functions = resourcesOf(synthesize(), 'AWS::Lambda::Function');
    const runtimes = new Set(functions.map(([, { Properties }]) => Properties['Runtime']));
    expect([...runtimes]).toEqual([new Runtime(`nodejs${major}.x`).name]);
  });

  test.each(Object.entries(manifest.optionalDependencies))(
    'is the same in what the install brings as %s',
    (_, version) => {
      expect(numbersOf(version)[0]).toBe(major);
    },
  );

  test('is the same in the bundles', () => {
    expect(readFileSync('tools/bundling/bundle.ts', 'utf8')).toContain(`target: 'node${major}'`);
  });
});
