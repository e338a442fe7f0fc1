import { describe, expect, test } from '@jest/globals';
import * as v from 'valibot';
import { factsOf, lambdaNames } from '../../lambdas/registered.ts';
import { routes } from '../../lambdas/routes.ts';
import { everyPlatform } from './settings.ts';
import { environmentsOf, resourcesOf, synthesize } from './synthesize.ts';

/** An object, or a choice or an intersection of several. */
type Shape = { entries?: object; options?: Shape[] };

const namesIn = ({ entries = {}, options = [] }: Shape): string[] => [
  ...Object.keys(entries),
  ...options.flatMap(namesIn),
];

const template = synthesize('production', everyPlatform);
const functions = resourcesOf(template, 'AWS::Lambda::Function');

describe('every Lambda', () => {
  test('runs on Node.js 24 and arm64, with a shorter time limit than the API', () => {
    for (const [, { Properties }] of functions) {
      expect(Properties).toMatchObject({ Runtime: 'nodejs24.x', Architectures: ['arm64'] });
    }
    const behindTheApi = new Set([
      'authorize',
      'authorize-exports',
      'authorize-staff',
      ...routes.map(({ lambda }) => lambda),
    ]);
    const limits = functions.map(([, { Properties }]) => ({
      name: String(Properties['Description']).replace('OMI: ', ''),
      timeout: Number(Properties['Timeout']),
    }));
    for (const { name, timeout } of limits.filter((one) => behindTheApi.has(one.name)))
      // The ledger counts for 20 s at most.
      expect({ name, timeout }).toEqual({ name, timeout: name === 'get-ledger' ? 29 : 10 });
  });

  test('has a fixed name, which its events contain as producer', () => {
    for (const [, { Properties }] of functions) {
      const name = String(Properties['Description']).replace('OMI: ', '');
      expect(Properties['FunctionName']).toBe(`omi-production-${name}`);
    }
  });

  test('is traced, except the one that answers polls', () => {
    const traced = functions.filter(([, { Properties }]) => 'TracingConfig' in Properties);
    const others = functions.filter((one) => !traced.includes(one));
    for (const [, { Properties }] of traced) expect(Properties['TracingConfig']).toEqual({ Mode: 'Active' });
    expect(others.map(([, { Properties }]) => Properties['Description'])).toEqual(['OMI: get-confirmation']);
  });

  test('is stopped in a recursive loop, except those that need it', () => {
    const looping = functions.filter(([, { Properties }]) => 'RecursiveLoop' in Properties);
    expect(
      looping.map(([, { Properties }]) => [Properties['Description'], Properties['RecursiveLoop']]),
    ).toEqual([
      ['OMI: replay-events', 'Allow'],
      ['OMI: redeliver-events', 'Allow'],
    ]);
    const reasons = lambdaNames.flatMap((name) => factsOf(name).recursiveLoop ?? []);
    expect(reasons).toHaveLength(2);
    for (const reason of reasons) expect(reason).toMatch(/\w+ .{40}/);
  });

  test('logs JSON into its own log group with a retention period', () => {
    const groups = functions.map(
      ([, { Properties }]) => Properties['LoggingConfig'] as { LogGroup: { Ref: string } },
    );
    expect(new Set(groups.map(({ LogGroup }) => LogGroup.Ref)).size).toBe(functions.length);
    for (const [, { Properties }] of functions) {
      expect(Properties).toMatchObject({ LoggingConfig: { LogFormat: 'JSON' } });
    }
    for (const [, { Properties }] of resourcesOf(template, 'AWS::Logs::LogGroup')) {
      expect(Properties['RetentionInDays']).toBe(90);
    }
  });

  test.each(lambdaNames)('gets the environment that it requires: %s', async (name) => {
    const { environment } = (await import(`../../lambdas/${name}/definition.ts`)) as {
      environment: v.GenericSchema;
    };
    const given = Object.entries(environmentsOf(template).get(name) ?? {});
    // At deployment a reference becomes a URL, an ARN or a name.
    const resolved = given.map(([key, value]) => [
      key,
      typeof value === 'string' ? value : 'https://example.com',
    ]);
    expect(v.safeParse(environment, Object.fromEntries(resolved)).issues).toBeUndefined();
  });

  test.each(lambdaNames)('gets no other variable of the service: %s', async (name) => {
    const { environment } = (await import(`../../lambdas/${name}/definition.ts`)) as {
      environment: Shape;
    };
    const known = namesIn(environment);
    const given = Object.keys(environmentsOf(template).get(name) ?? {});
    expect(given.filter((key) => !/^(POWERTOOLS_|OMI_)/.test(key) && !known.includes(key))).toEqual([]);
  });
});

test('all resources have the tags for cost allocation', () => {
  for (const type of ['AWS::DynamoDB::Table', 'AWS::Lambda::Function', 'AWS::Logs::LogGroup']) {
    template.allResourcesProperties(type, {
      Tags: [
        { Key: 'service', Value: 'omi' },
        { Key: 'stage', Value: 'production' },
      ],
    });
  }
});
