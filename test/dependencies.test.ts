import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { Runtime } from 'aws-cdk-lib/aws-lambda';
import { resourcesOf, synthesize } from './lib/synthesize.ts';

type Manifest = {
  engines: { node: string };
  optionalDependencies: Record<string, string>;
};
type Locked = {
  resolved?: string;
  link?: boolean;
};

const read = (file: string): unknown => JSON.parse(readFileSync(file, 'utf8'));
const manifest = read('package.json') as Manifest;
const { packages } = read('package-lock.json') as { packages: Record<string, Locked> };
const locked = Object.entries(packages).filter(([path]) => path !== '');
const numbersOf = (version: string): number[] => version.split('.').map((part) => Number.parseInt(part, 10));

describe('the lock file', () => {
  test('names no registry', () => {
    expect(locked.filter(([, { resolved, link }]) => resolved !== undefined && !link)).toEqual([]);
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
    expect(readFileSync('bundling/bundle.ts', 'utf8')).toContain(`target: 'node${major}'`);
  });
});
