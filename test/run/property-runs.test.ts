import { globSync, readFileSync } from 'node:fs';
import { afterEach, expect, test } from '@jest/globals';
import manifest from '../../package.json' with { type: 'json' };
import { propertyRuns } from '../support/property-runs.ts';

afterEach(() => {
  delete process.env['OMI_PROPERTY_RUNS'];
});

test('a property is tried a quarter as often, unless all runs are asked for', () => {
  expect([propertyRuns(100), propertyRuns(30)]).toEqual([25, 8]);
  process.env['OMI_PROPERTY_RUNS'] = 'all';
  expect(propertyRuns(100)).toBe(100);
});

test('npm run test:properties asks for all, of each suite that tries less in npm test', () => {
  const script = manifest.scripts['test:properties'];
  expect(script).toMatch(/^OMI_PROPERTY_RUNS=all npm run jest -- test\//);
  const paths = script.split(' ').filter((word) => word.startsWith('test/'));
  const suites = globSync('test/**/*.test.ts').filter((suite) =>
    /numRuns: propertyRuns\(\d/.test(readFileSync(suite, 'utf8')),
  );
  expect(suites.length).toBeGreaterThan(0);
  expect(suites.filter((suite) => !paths.some((path) => suite.startsWith(path)))).toEqual([]);
});
