import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { resourcesOf, synthesize } from './synthesize.ts';
import { eventSources } from '../../lambdas/event-sources.ts';

const template = synthesize('production');
const alarms = resourcesOf(template, 'AWS::CloudWatch::Alarm').map(([, { Properties }]) => Properties);
const described = (alarm: Record<string, unknown>) => String(alarm['AlarmDescription']);

/** The anchors that GitHub makes of headings. */
const anchors = new Set(
  [...readFileSync('docs/operations/alarms.md', 'utf8').matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\w -]/g, '')
      .replaceAll(' ', '-'),
  ),
);

describe('every alarm', () => {
  test("says what users or tenants notice, and names an existing section of the operators' guide", () => {
    for (const alarm of alarms) {
      const [, impact = '', section = ''] =
        /^(.+) What to do: docs\/operations\/alarms\.md#([\w-]+)$/.exec(described(alarm)) ?? [];
      expect([described(alarm), impact.length > 20, anchors.has(section)]).toEqual([
        described(alarm),
        true,
        true,
      ]);
    }
  });
});

test('an alarm for a stopped recursive loop exists for every function that a stream or queue calls', () => {
  type Stat = {
    Metric: { MetricName: string; Dimensions: { Name: string; Value: unknown }[] };
    Stat: string;
  };
  const watched = alarms.flatMap(({ Threshold, Metrics = [] }) => {
    const [{ MetricStat } = {}] = Metrics as { MetricStat?: Stat }[];
    if (MetricStat?.Metric.MetricName !== 'RecursiveInvocationsDropped') return [];
    expect([Threshold, MetricStat.Stat]).toEqual([0, 'Sum']);
    return MetricStat.Metric.Dimensions;
  });
  const called = new Set(eventSources.map(({ lambda }) => `omi-production-${lambda}`));
  const functions = resourcesOf(template, 'AWS::Lambda::Function')
    .map(([, { Properties }]) => String(Properties['FunctionName']))
    .filter((name) => called.has(name));
  expect(functions.length).toBeGreaterThan(5);
  expect(watched).toHaveLength(functions.length);
  for (const Value of functions) expect(watched).toContainEqual({ Name: 'FunctionName', Value });
});

describe('two stages of one account', () => {
  const looksAt = ({ Namespace, MetricName, Dimensions, Metrics = [] }: Record<string, unknown>) =>
    JSON.stringify({ Namespace, MetricName, Dimensions, Metrics });
  const alarmsOf = (stage: string) =>
    resourcesOf(synthesize(stage), 'AWS::CloudWatch::Alarm').map(([, { Properties }]) => Properties);

  test('share no metric: each alarm names its stage or a resource of its stack', () => {
    const staging = alarmsOf('staging');
    expect(staging.length).toBeGreaterThan(60);
    const shared = staging.filter((alarm) => !/staging|"Ref"|"Fn::GetAtt"/.test(looksAt(alarm)));
    expect(shared.map(({ AlarmName }) => AlarmName)).toEqual([]);
  });
});
