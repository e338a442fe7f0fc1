import { describe, expect, test } from '@jest/globals';
import * as v from 'valibot';
import { factsOf, lambdaNames } from '../../lambdas/registered.ts';
import { everyPlatform } from './settings.ts';
import { environmentsOf, resourcesOf, synthesize } from './synthesize.ts';

/** An object, or a choice or an intersection of several. */
type Shape = { entries?: object; options?: Shape[] };

const namesIn = ({ entries = {}, options = [] }: Shape): string[] => [
  ...Object.keys(entries),
  ...options.flatMap(namesIn),
];

const template = synthesize('dev', everyPlatform);
const functions = resourcesOf(template, 'AWS::Lambda::Function');

describe('every Lambda', () => {
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
