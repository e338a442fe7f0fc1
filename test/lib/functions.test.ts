import { describe, expect, test } from '@jest/globals';
import * as v from 'valibot';
import type { LambdaName } from '../../lambdas/environments.ts';
import { type EventSource, eventSources } from '../../lambdas/event-sources.ts';
import { routes } from '../../lambdas/routes.ts';
import { environmentsOf, everyPlatform, resourcesOf, synthesize } from './synthesize.ts';

const template = synthesize('production', everyPlatform);
const functions = resourcesOf(template, 'AWS::Lambda::Function');
const names: LambdaName[] = [
  'authorize',
  ...new Set([...routes, ...eventSources].map(({ lambda }) => lambda)),
];

describe('every Lambda', () => {
  test('runs on Node.js 24 and arm64, with a time limit below that of the API', () => {
    for (const [, { Properties }] of functions) {
      expect(Properties).toMatchObject({ Runtime: 'nodejs24.x', Architectures: ['arm64'] });
    }
    const behindTheApi = new Set(['authorize', ...routes.map(({ lambda }) => lambda)]);
    const limits = functions.map(([, { Properties }]) => ({
      name: String(Properties['Description']).replace('OMI: ', ''),
      timeout: Number(Properties['Timeout']),
    }));
    for (const { name, timeout } of limits.filter((one) => behindTheApi.has(one.name)))
      expect({ name, timeout }).toEqual({ name, timeout: 10 });
  });

  test('has a name by which events tell who recorded them', () => {
    for (const [, { Properties }] of functions) {
      const name = String(Properties['Description']).replace('OMI: ', '');
      expect(Properties['FunctionName']).toBe(`omi-production-${name}`);
    }
  });

  test('is traced, but for the one that answers polls', () => {
    const traced = functions.filter(([, { Properties }]) => 'TracingConfig' in Properties);
    const others = functions.filter((one) => !traced.includes(one));
    for (const [, { Properties }] of traced) expect(Properties['TracingConfig']).toEqual({ Mode: 'Active' });
    expect(others.map(([, { Properties }]) => Properties['Description'])).toEqual(['OMI: get-confirmation']);
  });

  test('is stopped when it calls itself without end, but for the one that is meant to', () => {
    const looping = functions.filter(([, { Properties }]) => 'RecursiveLoop' in Properties);
    expect(
      looping.map(([, { Properties }]) => [Properties['Description'], Properties['RecursiveLoop']]),
    ).toEqual([['OMI: replay-events', 'Allow']]);
    const sources: readonly EventSource[] = eventSources;
    const reasons = sources.flatMap((source) => ('queue' in source ? (source.recursiveLoop ?? []) : []));
    expect(reasons).toEqual([expect.stringMatching(/\w+ .{40}/)]);
  });

  test('logs JSON into a group of its own that ends some day', () => {
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

  test.each(names)('%s is given the environment that it demands at its start', async (name) => {
    const { environment } = (await import(`../../lambdas/${name}/env.ts`)) as {
      environment: v.GenericSchema;
    };
    const given = Object.entries(environmentsOf(template).get(name) ?? {});
    // A reference is resolved at deployment: to a URL, an ARN or a name.
    const resolved = given.map(([key, value]) => [
      key,
      typeof value === 'string' ? value : 'https://example.com',
    ]);
    expect(v.safeParse(environment, Object.fromEntries(resolved)).issues).toBeUndefined();
  });

  test.each(names)('%s is given nothing else of ours', async (name) => {
    const { environment } = (await import(`../../lambdas/${name}/env.ts`)) as {
      environment: { entries?: object; options?: { entries: object }[] };
    };
    const known = [environment, ...(environment.options ?? [])].flatMap(({ entries = {} }) =>
      Object.keys(entries),
    );
    const given = Object.keys(environmentsOf(template).get(name) ?? {});
    expect(given.filter((key) => !/^(POWERTOOLS_|OMI_)/.test(key) && !known.includes(key))).toEqual([]);
  });
});

test('everything carries the tags by which its cost is found', () => {
  for (const type of ['AWS::DynamoDB::Table', 'AWS::Lambda::Function', 'AWS::Logs::LogGroup']) {
    template.allResourcesProperties(type, {
      Tags: [
        { Key: 'service', Value: 'omi' },
        { Key: 'stage', Value: 'production' },
      ],
    });
  }
});
