import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { App, Stack } from 'aws-cdk-lib';
import { describe, expect, test } from '@jest/globals';
import type { StageSettings } from '../../lib/config.ts';
import { withIcons } from '../../lib/lambda-code.ts';
import { OmiStage } from '../../lib/omi-stage.ts';
import { newFolderOfRun } from '../support/run-services.ts';
import { everyPlatform } from './settings.ts';
import { synthesisOf } from './synthesize.ts';

/** An app of an operator, whose `cdk.json` has no feature flags. */
const newApp = (context: object = {}): App =>
  new App({
    context: { 'aws:cdk:bundling-stacks': [], 'aws:cdk:enable-path-metadata': true, ...context },
    outdir: newFolderOfRun('cdk.out-'),
    treeMetadata: false,
  });

const settings: StageSettings = { appLink: 'https://app.omi.test', ...everyPlatform };

describe('OmiStage', () => {
  test('makes in an app without feature flags what this repository makes', () => {
    const app = newApp();
    new OmiStage(app, 'omi-production', { config: settings });
    const ours = synthesisOf({ stage: 'production', settings }).assembly;
    const templatesOf = ({ stacks }: typeof ours) =>
      stacks.map(({ stackName, template }) => [stackName, template as unknown]);
    expect(templatesOf(app.synth())).toEqual(templatesOf(ours));
  });

  test('names its stacks alike wherever it is in an app', () => {
    const app = newApp();
    new OmiStage(app, 'omi-dev', { config: {} });
    const { stacks } = new OmiStage(app, 'omi-staging', { config: {} });
    expect(stacks[0]?.stackName).toBe('omi-staging-data');
    expect(app.node.findChild('omi-dev-data')).toBeInstanceOf(Stack);
  });

  test('refuses an app with another value of a feature flag, which would change what is deployed', () => {
    const app = newApp({ '@aws-cdk/aws-iam:minimizePolicies': false });
    expect(() => new OmiStage(app, 'omi-dev', { config: {} })).toThrow(
      'The context of this app sets @aws-cdk/aws-iam:minimizePolicies to false. OMI needs true: remove it from cdk.json.',
    );
  });

  test('must be the first construct of an app without feature flags', () => {
    const app = newApp();
    new Stack(app, 'other');
    expect(() => new OmiStage(app, 'omi-dev', { config: {} })).toThrow(/Create OmiStage before the other/);
  });

  test('refuses an id that names no stage, and a setting that is wrong', () => {
    expect(() => new OmiStage(newApp(), 'omi-test', { config: {} })).toThrow(
      'Unknown stage "test": expected one of dev, staging, production.',
    );
    expect(() => new OmiStage(newApp(), 'omi-dev', { config: { appLink: 'app' } })).toThrow(
      /^Stage dev: appLink: expected an https URL/,
    );
  });
});

test("a brand's icons take the place of the app's of the same names, and no other file gets there", () => {
  const [code, icons] = [newFolderOfRun('code-'), newFolderOfRun('icons-')];
  mkdirSync(join(code, 'app/icons'), { recursive: true });
  writeFileSync(join(code, 'index.mjs'), 'program');
  for (const name of ['icon.svg', 'badge-96.png']) writeFileSync(join(code, 'app/icons', name), 'of OMI');
  for (const name of ['icon.svg', 'notes.txt']) writeFileSync(join(icons, name), 'of the brand');
  const copy = withIcons(code, icons);
  expect(readdirSync(join(copy, 'app/icons')).toSorted()).toEqual(['badge-96.png', 'icon.svg']);
  const read = (folder: string, name: string) => readFileSync(join(folder, name), 'utf8');
  expect(read(copy, 'app/icons/icon.svg')).toBe('of the brand');
  expect(read(copy, 'app/icons/badge-96.png')).toBe('of OMI');
  expect(read(copy, 'index.mjs')).toBe('program');
  expect(read(code, 'app/icons/icon.svg')).toBe('of OMI');
});
