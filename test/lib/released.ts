/** An upgrade from each release that operators may have deployed. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Template } from 'aws-cdk-lib/assertions';
import { describe, expect, test } from '@jest/globals';
import {
  lostIn,
  recordOf,
  type StageRecord,
  type Template as Json,
} from '../../tools/release/stage-record.ts';
import { synthesisOf } from './synthesize.ts';

const { stacks } = synthesisOf({ stage: 'production' });
const templates = Object.fromEntries(
  stacks.map((stack) => [stack.stackName, Template.fromStack(stack).toJSON() as Json]),
);
const current = recordOf(templates);

const folder = join(import.meta.dirname, 'released');
const releases = existsSync(folder) ? readdirSync(folder) : [];

/** The record after a change of one stack's template. */
function changed(stackName: string, change: (template: Json) => void): StageRecord {
  const copy = structuredClone(templates);
  const template = copy[stackName];
  if (!template) throw new Error(`There is no stack ${stackName}.`);
  change(template);
  return recordOf(copy);
}

type Entry = [id: string, resource: Json['Resources'][string]];
const filtered = (resources: Json['Resources'], isKept: (entry: Entry) => boolean): Json['Resources'] =>
  Object.fromEntries(Object.entries(resources).filter(isKept));

const idOf = (stackName: string, type: string): string => {
  const found = Object.entries(current[stackName]?.resources ?? {}).find(([, kept]) => kept.type === type);
  if (!found) throw new Error(`${stackName} has no ${type}.`);
  return found[0];
};

describe('an upgrade', () => {
  test('keeps of each release the retained and named resources in their stacks, and the outputs', () => {
    for (const name of releases) {
      const released = JSON.parse(readFileSync(join(folder, name), 'utf8')) as StageRecord;
      expect([name, lostIn(current, released)]).toEqual([name, []]);
    }
  });

  test('is told when it loses a table, the name of a function, an output or a stack', () => {
    const table = idOf('omi-production-data', 'AWS::DynamoDB::Table');
    expect(
      lostIn(
        changed('omi-production-data', (template) => {
          template.Resources = filtered(template.Resources, ([id]) => id !== table);
        }),
        current,
      ),
    ).toEqual([`AWS::DynamoDB::Table ${table} of omi-production-data`]);

    const lambda = idOf('omi-production-export', 'AWS::Lambda::Function');
    const renamed = changed('omi-production-export', ({ Resources }) => {
      Object.assign(Resources[lambda]?.Properties ?? {}, { FunctionName: 'other' });
    });
    expect(lostIn(renamed, current)).toEqual([`AWS::Lambda::Function ${lambda} of omi-production-export`]);

    const dropped = changed('omi-production-api', (template) => {
      const { BaseUrl, ...others } = template.Outputs ?? {};
      expect(BaseUrl).toBeDefined();
      template.Outputs = others;
    });
    expect(lostIn(dropped, current)).toEqual(['the output BaseUrl of omi-production-api']);

    const { 'omi-production-live': live, ...others } = current;
    expect(live).toBeDefined();
    expect(lostIn(others, current)).toEqual(['the stack omi-production-live']);
  });

  test('may make new versions of Lambdas, and add resources and outputs', () => {
    const grown = changed('omi-production-export', (template) => {
      template.Resources = {
        ...filtered(template.Resources, ([, { Type }]) => Type !== 'AWS::Lambda::Version'),
        Another: { Type: 'AWS::SQS::Queue', Properties: { QueueName: 'another' } },
      };
      template.Outputs = { ...template.Outputs, Another: {} };
    });
    expect(lostIn(grown, current)).toEqual([]);
  });
});
