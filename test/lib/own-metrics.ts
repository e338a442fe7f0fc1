import type { Template } from 'aws-cdk-lib/assertions';
import { fieldOf, matches } from '../support/log-filter.ts';
import { resourcesOf } from './synthesize.ts';

/** A metric of the service, as CloudWatch identifies it. */
export const identify = (name: string, dimensions: Record<string, unknown>): string => {
  const sorted = Object.entries(dimensions).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `${name} ${sorted.map(([key, value]) => `${key}=${String(value)}`).join(' ')}`;
};

const namespace = 'omi';
export const newVersion = '7';

/** Resolves a reference as CloudFormation does: to the Lambda's name or the number of its new version. */
function resolve(template: Template, value: unknown): string {
  if (typeof value === 'string') return value;
  const reference = value as { Ref?: string; 'Fn::GetAtt'?: [string, string] };
  if (reference['Fn::GetAtt']?.[1] === 'Version') return newVersion;
  const named = resourcesOf(template, 'AWS::Lambda::Function').find(([id]) => id === reference.Ref);
  return (named?.[1].Properties['FunctionName'] as string | undefined) ?? JSON.stringify(value);
}

type Stat = { Namespace: string; MetricName: string; Dimensions?: { Name: string; Value: unknown }[] };
export type MetricQuery = {
  Id: string;
  Expression?: string;
  ReturnData?: boolean;
  MetricStat?: { Metric: Stat };
};

const statsOf = (alarm: Record<string, unknown>): Stat[] => [
  ...('MetricName' in alarm ? [alarm as Stat] : []),
  ...((alarm['Metrics'] ?? []) as MetricQuery[]).flatMap(({ MetricStat }) => MetricStat?.Metric ?? []),
];

const idOf = (template: Template, { MetricName, Dimensions = [] }: Stat): string =>
  identify(
    MetricName,
    Object.fromEntries(Dimensions.map(({ Name, Value }) => [Name, resolve(template, Value)])),
  );

/** The service's metrics that alarms use. */
export const inAlarms = (template: Template): string[] =>
  resourcesOf(template, 'AWS::CloudWatch::Alarm')
    .flatMap(([, { Properties }]) => statsOf(Properties))
    .filter((stat) => stat.Namespace === namespace)
    .map((stat) => idOf(template, stat));

type Joined = { 'Fn::Join': [string, unknown[]] };
type Widget = { properties: { metrics?: unknown[][] } };

/** The service's metrics on the dashboard: `[namespace, name, key, value, …, { options }]`. */
export const inDashboard = (template: Template): string[] =>
  resourcesOf(template, 'AWS::CloudWatch::Dashboard').flatMap(([, { Properties }]) => {
    const [, parts] = (Properties['DashboardBody'] as Joined)['Fn::Join'];
    const body = parts.map((part) => (typeof part === 'string' ? part : 'resolved')).join('');
    const { widgets } = JSON.parse(body) as { widgets: Widget[] };
    const metrics = widgets.flatMap(({ properties }) => properties.metrics ?? []);
    return metrics.flatMap(([where, name, ...rest]) => {
      if (where !== namespace) return [];
      const words = rest.filter((word) => typeof word === 'string');
      const pairs = words.flatMap((word, index) => (index % 2 === 0 ? [[word, words[index + 1]]] : []));
      return [identify(String(name), Object.fromEntries(pairs) as Record<string, unknown>)];
    });
  });

export type Filter = {
  FilterPattern: string;
  MetricTransformations: [
    { MetricNamespace: string; MetricName: string; Dimensions: { Key: string; Value: string }[] },
  ];
};

/** The metric filters of a stage, one for each Lambda whose log it reads. */
export const filtersOf = (template: Template): Filter[] => {
  const filters = resourcesOf(template, 'AWS::Logs::MetricFilter').map(([, { Properties }]) => Properties);
  return [...new Map(filters.map((filter) => [filter['FilterPattern'], filter as Filter])).values()];
};

/** The metrics that the filters make of a log line. */
export const countedBy = (filters: readonly Filter[], line: Record<string, unknown>): string[] =>
  filters.flatMap(({ FilterPattern, MetricTransformations: [{ MetricName, Dimensions }] }) =>
    matches(FilterPattern, line)
      ? [
          identify(
            MetricName,
            Object.fromEntries(Dimensions.map(({ Key, Value }) => [Key, fieldOf(line, Value)])),
          ),
        ]
      : [],
  );

/** The metrics that CloudWatch makes of a line in the embedded metric format. */
export function embeddedIn(line: Record<string, unknown>): string[] {
  const { CloudWatchMetrics = [] } = (line['_aws'] ?? {}) as {
    CloudWatchMetrics?: { Dimensions: string[][]; Metrics: { Name: string }[] }[];
  };
  return CloudWatchMetrics.flatMap(({ Dimensions, Metrics }) =>
    Dimensions.flatMap((keys) => {
      const dimensions = Object.fromEntries(keys.map((key) => [key, line[key]]));
      return Metrics.map(({ Name }) => identify(Name, dimensions));
    }),
  );
}
