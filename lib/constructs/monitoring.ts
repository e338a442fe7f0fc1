import { Aws, Duration } from 'aws-cdk-lib';
import {
  type Alarm,
  ComparisonOperator,
  LogQueryVisualizationType,
  LogQueryWidget,
  Metric,
  Stats,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import type { EventSourceMapping } from 'aws-cdk-lib/aws-lambda';
import { Topic } from 'aws-cdk-lib/aws-sns';
import {
  type CustomMetric,
  DefaultDashboardFactory,
  MetricStatistic,
  type MetricWithAlarmSupport,
  MonitoringFacade,
  SnsAlarmActionStrategy,
} from 'cdk-monitoring-constructs';
import { Construct } from 'constructs';
import { kinds } from '../../core/export/kinds/records.ts';
import { states } from '../../core/export/targets/target.ts';
import { keyOperations } from '../../core/aws/key-operations.ts';
import { countedErrors, deliveryModes } from '../../core/openid/metric-values.ts';
import { type TableDefinition, type TableName, tables as definitions } from '../../core/aws/tables.ts';
import { type EventSource, type EventSourceLambda, eventSources } from '../../lambdas/event-sources.ts';
import { type AlarmName, alarmOn, runbook } from '../alarms.ts';
import type { Data } from './data.ts';
import type { Queues } from './queues.ts';
import { ownNamespace, type ServiceFunction } from './service-function.ts';

export type MonitoringProps = {
  stage: string;
  /** Hears of every alarm. */
  topicArn: string;
  data: Data;
  queues: Queues;
  mappings: Readonly<Record<EventSourceLambda, EventSourceMapping>>;
  lambdas: Readonly<Record<EventSourceLambda, ServiceFunction>>;
  /** Every Lambda that has callers. */
  all: readonly ServiceFunction[];
  /** Alarms of other constructs, which get the same actions. */
  alarms: readonly Alarm[];
};

type Dimensions = Record<string, string>;

/** SNS's names of the platforms, by the service's own names. */
const snsPlatforms = { fcm: 'GCM', apns: 'APNS', 'apns-sandbox': 'APNS_SANDBOX' };

/** With browsers, whose push services answer the service itself. */
const pushPlatforms = [...Object.keys(snsPlatforms), 'web'];

const sources: readonly EventSource[] = eventSources;
const streamLambdas = sources
  .filter((source) => 'stream' in source)
  .map(({ lambda }) => lambda as EventSourceLambda);

/** The dimension that Powertools adds to each metric of the service. */
const powertools = { service: 'omi' };

/** A dashboard that answers a few questions, and the alarms. */
export class Monitoring extends Construct {
  readonly #facade: MonitoringFacade;
  readonly #stack: string;
  readonly #ownDimensions: Dimensions;

  constructor(scope: Construct, id: string, props: MonitoringProps) {
    super(scope, id);
    this.#stack = `omi-${props.stage}`;
    this.#ownDimensions = { ...powertools, stage: props.stage };
    const topic = Topic.fromTopicArn(this, 'Topic', props.topicArn);
    this.#facade = new MonitoringFacade(this, 'Dashboard', {
      alarmFactoryDefaults: {
        alarmNamePrefix: this.#stack,
        actionsEnabled: true,
        action: new SnsAlarmActionStrategy({ onAlarmTopic: topic, onOkTopic: topic }),
      },
      metricFactoryDefaults: { namespace: ownNamespace },
      dashboardFactory: new DefaultDashboardFactory(this, 'Dashboards', {
        // The names of dashboards are the same in every region of an account.
        dashboardNamePrefix: `${this.#stack}-${Aws.REGION}`,
        createDashboard: true,
      }),
    });
    const failures = props.all.map((lambda) => failing(this, lambda));
    for (const alarm of [...props.alarms, ...failures]) alarm.addAlarmAction(new SnsAction(topic));
    this.#confirmations();
    this.#arrivals(props);
    this.#waiting(props);
    this.#log();
    this.#callbacks(props);
    this.#loops(props);
    this.#clients();
    this.#keys();
    this.#tables(props);
  }

  #confirmations(): void {
    const outcomes = ['sent', 'confirmed', 'denied', 'expired', 'cancelled', 'failed'];
    this.#segment('Are users confirming?', {
      Confirmations: outcomes.map((outcome) => this.#own('Confirmations', MetricStatistic.SUM, { outcome })),
      'Milliseconds to an answer': [MetricStatistic.P50, MetricStatistic.P99].map((statistic) =>
        this.#own('AnswerTime', statistic, {}),
      ),
      'Pushes that failed': pushPlatforms.map((platform) =>
        this.#alarmed('push-fails', this.#own('PushFailed', MetricStatistic.SUM, { platform }), platform),
      ),
      'Pushes that the provider rejected': Object.entries(snsPlatforms).map(([platform, snsName]) =>
        this.#alarmed('provider-refuses', this.#refused(snsName, platform), platform),
      ),
      'Milliseconds since a push token should have been deleted': [
        this.#alarmed('push-tokens-stay', this.#own('OldestReleasedEndpointAge', MetricStatistic.MAX, {})),
      ],
    });
  }

  /** SNS counts by application and platform. */
  #refused(Platform: string, label: string) {
    const dimensions = { Application: this.#stack, Platform };
    return this.#metric('AWS/SNS', 'NumberOfNotificationsFailed', MetricStatistic.SUM, dimensions, label);
  }

  #arrivals({ lambdas }: MonitoringProps): void {
    const lag = (lambda: EventSourceLambda) =>
      this.#metric('AWS/Lambda', 'IteratorAge', MetricStatistic.MAX, lambdas[lambda].liveDimensions, lambda);
    this.#segment('Are events arriving?', {
      'Events delivered': this.#byTarget('EventsDelivered', MetricStatistic.SUM),
      'Milliseconds from acceptance to delivery': this.#byTarget('EventAge', MetricStatistic.MAX),
      'Milliseconds behind the stream': [
        this.#alarmed('export-late', lag('export-events')),
        this.#alarmed('expiries-late', lag('schedule-expiry')),
      ],
      'Milliseconds that an expiry was over when the clock found it': [
        this.#alarmed('long-expiries-late', this.#own('ExpiryLateness', MetricStatistic.MAX, {})),
      ],
      'Buckets that Firehose cannot write into': [
        this.#alarmed('bucket-in-trouble', this.#own('BucketsInTrouble', MetricStatistic.MAX, {})),
      ],
      'Buckets in which events are missing': [
        this.#alarmed('bucket-incomplete', this.#own('IncompleteBuckets', MetricStatistic.MAX, {})),
      ],
    });
  }

  #callbacks({ queues }: MonitoringProps): void {
    const { queueName: QueueName } = queues.queues.retries;
    const hidden = this.#metric(
      'AWS/SQS',
      'ApproximateNumberOfMessagesNotVisible',
      MetricStatistic.MAX,
      { QueueName },
      'waiting for a further attempt',
    );
    this.#segment('Do websites get their callbacks?', {
      Callbacks: ['CallbacksDelivered', 'CallbackAttemptsFailed'].map((name) =>
        this.#own(name, MetricStatistic.SUM, {}),
      ),
      'Milliseconds from the end of a confirmation to its callback': [
        MetricStatistic.P50,
        MetricStatistic.P99,
      ].map((statistic) => this.#own('CallbackAge', statistic, {})),
      'Milliseconds since the end of confirmations whose callback waits': [
        this.#alarmed('callbacks-wait', this.#own('WaitingCallbackAge', MetricStatistic.MAX, {})),
      ],
      'Callbacks that were given up': [
        this.#alarmed('callbacks-given-up', this.#own('CallbacksGivenUp', MetricStatistic.SUM, {})),
      ],
      'Messages in flight': [this.#alarmed('callbacks-crowded', hidden)],
    });
  }

  #waiting({ queues, mappings, lambdas }: MonitoringProps): void {
    const oldest = this.#byTarget('OldestParkedAge', MetricStatistic.MAX);
    const visible = (label: string, { queueName: QueueName }: { queueName: string }) =>
      this.#metric(
        'AWS/SQS',
        'ApproximateNumberOfMessagesVisible',
        MetricStatistic.MAX,
        { QueueName },
        label,
      );
    const given = (lambda: EventSourceLambda) =>
      this.#metric(
        'AWS/Lambda',
        'OnFailureDestinationDeliveredEventCount',
        MetricStatistic.SUM,
        { EventSourceMappingUUID: mappings[lambda].eventSourceMappingId },
        `${lambda} given up`,
      );
    const lost = (lambda: EventSourceLambda) =>
      this.#metric(
        'AWS/Lambda',
        'DestinationDeliveryFailures',
        MetricStatistic.SUM,
        { FunctionName: lambdas[lambda].functionName },
        `${lambda} given up and lost`,
      );
    this.#segment('Which targets are stuck?', {
      'Events parked': this.#byTarget('EventsParked', MetricStatistic.SUM),
      'Targets seen, by state': states.map((state) =>
        this.#own('TargetsSeen', MetricStatistic.SUM, { state }),
      ),
      'Targets whose events have waited for an hour, of which no operator knows': [
        this.#alarmed('target-stuck', this.#own('StuckTargets', MetricStatistic.MAX, {})),
      ],
      'Milliseconds that the oldest parked event waits': kinds.flatMap((kind, index) => {
        const metric = oldest[index];
        return metric ? [this.#alarmed('target-nearly-lost', metric, kind)] : [];
      }),
      'Action required': [
        this.#alarmed('undeliverable', visible('undeliverable', queues.queues.undeliverable)),
        ...Object.entries(queues.deadLetters).map(([name, queue]) =>
          this.#alarmed('dead-letters', visible(`${name} given up`, queue), name),
        ),
        ...streamLambdas.map((lambda) => this.#alarmed('records-failed', given(lambda), lambda)),
        ...streamLambdas.map((lambda) => this.#alarmed('records-lost', lost(lambda), lambda)),
      ],
    });
    this.#waitingByTenant(lambdas['export-events']);
  }

  #log(): void {
    this.#segment('Is the log complete?', {
      'Milliseconds that a minute of a log is open too long': [
        this.#alarmed('log-late', this.#own('OpenMinuteAge', MetricStatistic.MAX, {})),
      ],
    });
  }

  /** Nothing else shows this, because a call that Lambda does not make is not an error. */
  #loops({ lambdas }: MonitoringProps): void {
    const dropped = eventSources.map((source) => {
      const { name, functionName: FunctionName } = lambdas[source.lambda];
      const metric = this.#metric(
        'AWS/Lambda',
        'RecursiveInvocationsDropped',
        MetricStatistic.SUM,
        { FunctionName },
        name,
      );
      return this.#alarmed('loop-stopped', metric, name);
    });
    this.#segment('Does a Lambda call itself?', { 'Calls that Lambda did not make': dropped });
  }

  /** Reads the log: with the tenant as a dimension, each tenant would cost a metric. */
  #waitingByTenant(lambda: ServiceFunction): void {
    this.#facade.addWidget(
      new LogQueryWidget({
        title: 'Events parked, by tenant',
        view: LogQueryVisualizationType.TABLE,
        width: 24,
        logGroupNames: [lambda.logGroup.logGroupName],
        queryLines: [
          'filter message = "exported" and parked > 0',
          'stats sum(parked) as events, latest(fault.reason) as reason by tenantId, category',
          'sort events desc',
          'limit 20',
        ],
      }),
    );
  }

  #clients(): void {
    this.#segment('Do OpenID Connect clients get their tokens?', {
      Requests: deliveryModes.map((mode) =>
        this.#own('BackchannelAuthentications', MetricStatistic.SUM, { mode }),
      ),
      'Tokens issued': [this.#own('TokensIssued', MetricStatistic.SUM, {})],
      Errors: countedErrors.map((error) => this.#own('OAuthErrors', MetricStatistic.SUM, { error })),
    });
  }

  #keys(): void {
    this.#segment('Do the keys work?', {
      'Calls that KMS refused': keyOperations.map((operation) =>
        this.#alarmed(
          'keys-fail',
          this.#own('KeyFaults', MetricStatistic.SUM, { operation }),
          operation.toLowerCase(),
        ),
      ),
    });
  }

  #tables({ data }: MonitoringProps): void {
    const throttled = Object.entries(data.tables).flatMap(([name, { tableName: TableName }]) => {
      const { index }: TableDefinition = definitions[name as TableName];
      return [
        ...this.#throttled(name, { TableName }),
        // A table's metrics do not include its indexes.
        ...(index
          ? this.#throttled(`${name}-index`, { TableName, GlobalSecondaryIndexName: index.name })
          : []),
      ];
    });
    this.#segment('Are tables throttled?', { 'Throttled calls': throttled });
  }

  #throttled(subject: string, dimensions: Dimensions): CustomMetric[] {
    return ['Read', 'Write'].map((kind) => {
      const metric = this.#metric('AWS/DynamoDB', `${kind}ThrottleEvents`, MetricStatistic.SUM, dimensions);
      return this.#alarmed('throttled', metric, `${subject}-${kind.toLowerCase()}s`);
    });
  }

  #segment(title: string, widgets: Record<string, CustomMetric[]>): void {
    this.#facade.addLargeHeader(title);
    this.#facade.monitorCustom({
      humanReadableName: title,
      alarmFriendlyName: title.replace(/\W+/g, '-'),
      metricGroups: Object.entries(widgets).map(([name, metrics]) => ({ title: name, metrics })),
    });
  }

  #byTarget(name: string, statistic: MetricStatistic) {
    return kinds.map((target) => this.#own(name, statistic, { target }));
  }

  #own(name: string, statistic: MetricStatistic, dimensions: Dimensions) {
    const label = [name, ...Object.values(dimensions)].join(' ');
    return this.#metric(ownNamespace, name, statistic, { ...this.#ownDimensions, ...dimensions }, label);
  }

  #metric(namespace: string, name: string, statistic: MetricStatistic, dimensions: Dimensions, label = name) {
    return this.#facade
      .createMetricFactory()
      .createMetric(name, statistic, label, dimensions, undefined, namespace);
  }

  #alarmed(name: AlarmName, metric: MetricWithAlarmSupport, subject?: string): CustomMetric {
    return {
      metric,
      alarmFriendlyName: [name, subject].filter(Boolean).join('-'),
      addAlarm: { Warning: alarmOn(this.#stack, name, subject) },
    };
  }
}

/** Rings for any error of any version. No deployment depends on it. */
const failing = (scope: Construct, { name, liveDimensions: dimensionsMap }: ServiceFunction): Alarm =>
  new Metric({
    namespace: 'AWS/Lambda',
    metricName: 'Errors',
    dimensionsMap,
    statistic: Stats.SUM,
    period: Duration.minutes(1),
  }).createAlarm(scope, `${name}-fails`, {
    alarmDescription: runbook(`The Lambda ${name} fails.`, 'a-lambda-fails'),
    threshold: 0,
    comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
    evaluationPeriods: 1,
    treatMissingData: TreatMissingData.NOT_BREACHING,
  });
