import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
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

  test('notifies the topic', () => {
    const [[topic] = []] = resourcesOf(template, 'AWS::SNS::Topic');
    for (const alarm of alarms) expect(alarm['AlarmActions']).toContainEqual({ Ref: topic });
  });

  test('may publish to the topic, which allows only CloudWatch of this account', () => {
    const [[, policy] = []] = resourcesOf(template, 'AWS::SNS::TopicPolicy');
    expect(policy?.Properties['PolicyDocument']).toMatchObject({
      Statement: expect.arrayContaining([
        expect.objectContaining({
          Effect: 'Allow',
          Action: 'sns:Publish',
          Principal: { Service: 'cloudwatch.amazonaws.com' },
          Condition: { StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } } },
        }),
      ]) as unknown,
    });
  });

  test('stays silent without data', () => {
    for (const alarm of alarms) expect(alarm['TreatMissingData']).toBe('notBreaching');
  });
});

const names = alarms.map(({ AlarmName }) => AlarmName).filter((name) => name !== undefined);

test.each([
  'push-fails-fcm',
  'push-fails-web',
  'provider-refuses-apns-sandbox',
  'push-tokens-stay',
  'export-late',
  'expiries-late',
  'long-expiries-late',
  'target-stuck',
  'log-late',
  'target-nearly-lost-stream',
  'target-nearly-lost-bucket',
  'records-failed-export-events',
  'records-lost-export-events',
  'bucket-in-trouble',
  'bucket-incomplete',
  'throttled-events-index-writes',
  'callbacks-wait',
  'callbacks-given-up',
  'callbacks-crowded',
  'undeliverable',
  'dead-letters-verifications',
])('the alarm %s exists', (name) => {
  expect(names).toContain(`omi-production-${name}`);
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

describe('the dashboard', () => {
  const [[, dashboard] = []] = resourcesOf(template, 'AWS::CloudWatch::Dashboard');
  const body = JSON.stringify(dashboard?.Properties['DashboardBody']);

  test.each(['Are users confirming?', 'Are events arriving?', 'Which targets are stuck?'])(
    'answers: %s',
    (question) => {
      expect(body).toContain(question);
    },
  );

  test('shows tenants from the log and not from metrics, because their number is unlimited', () => {
    expect(body).toContain('stats sum(parked) as events');
    expect(JSON.stringify(alarms)).not.toContain('tenantId');
  });

  test('shows only metrics that the service sends', () => {
    const source = readdirSync('core', { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('metrics.ts'))
      .map((name) => readFileSync(join('core', name), 'utf8'))
      .join('\n');
    const own = [...body.matchAll(/\[\\\\?"omi\\\\?",\\\\?"(\w+)\\\\?"/g)].map(([, name]) => name);
    expect(new Set(own).size).toBeGreaterThan(5);
    for (const name of new Set(own)) expect([name, source.includes(`'${name ?? ''}'`)]).toEqual([name, true]);
  });
});
