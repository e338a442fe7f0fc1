import { describe, expect, test } from '@jest/globals';
import { type QueueDefinition, queues as definitions } from '../../core/aws/queues.ts';
import { type EventSource, eventSources, schedules } from '../../lambdas/event-sources.ts';
import { lambdaBehind, resourcesOf, synthesize } from './synthesize.ts';

const queues: Record<string, QueueDefinition> = definitions;
const template = synthesize('production');
const mappings = resourcesOf(template, 'AWS::Lambda::EventSourceMapping');

/** What the Lambda of this name is called by. */
function mappingOf(lambda: string): Record<string, unknown> {
  const [found, ...others] = mappings
    .map(([, { Properties }]) => Properties)
    .filter(({ FunctionName }) => lambdaBehind(template, FunctionName) === lambda);
  if (!found || others.length > 0) throw new Error(`${lambda} has not one event source`);
  return found;
}

test('every event source of the table is connected, and no other', () => {
  expect(mappings).toHaveLength(eventSources.length);
  for (const { lambda, batchSize } of eventSources) {
    expect(mappingOf(lambda)).toMatchObject({
      BatchSize: batchSize,
      // One that fails does not bring back those that were done.
      FunctionResponseTypes: ['ReportBatchItemFailures'],
    });
  }
});

test('no stream has more readers than DynamoDB allows', () => {
  const sources: readonly EventSource[] = eventSources;
  const readers = Map.groupBy(sources, (source) => ('stream' in source ? source.stream : undefined));
  for (const [stream, lambdas] of readers) {
    if (stream !== undefined) expect(lambdas.length).toBeLessThanOrEqual(2);
  }
});

test('the alarm for an expiry is set by what was sent, and by nothing else in the stream', () => {
  const { FilterCriteria, ...mapping } = mappingOf('schedule-expiry');
  const { Filters } = FilterCriteria as { Filters: { Pattern: string }[] };
  expect(Filters.map(({ Pattern }) => JSON.parse(Pattern) as unknown)).toEqual([
    { eventName: ['INSERT'], dynamodb: { NewImage: { expiresAt: { N: [{ exists: true }] } } } },
  ]);
  expect(mapping).toMatchObject({
    EventSourceArn: { 'Fn::GetAtt': [expect.stringMatching(/^Dataevents/), 'StreamArn'] },
    StartingPosition: 'TRIM_HORIZON',
  });
});

test('a record that cannot be handled is parted from the others, and kept whole when its time is over', () => {
  const mapping = mappingOf('schedule-expiry');
  expect(mapping).toMatchObject({
    BisectBatchOnFunctionError: true,
    MaximumRecordAgeInSeconds: 12 * 60 * 60,
    DestinationConfig: {
      OnFailure: { Destination: { 'Fn::GetAtt': [expect.stringMatching(/^FailedRecords/), 'Arn'] } },
    },
  });
  // SQS or our permissions are at fault then, not the record: it is tried for as long as it may be.
  expect(mapping).not.toHaveProperty('MaximumRetryAttempts');
  expect(mapping).not.toHaveProperty('ParallelizationFactor');
});

test('confirmations that may expire come from their queue, to a bounded number of Lambdas at once', () => {
  expect(mappingOf('expire-confirmation')).toMatchObject({
    EventSourceArn: { 'Fn::GetAtt': [expect.stringMatching(/^Queuesexpiry[0-9A-F]{8}$/), 'Arn'] },
    ScalingConfig: { MaximumConcurrency: 10 },
  });
});

describe('every queue', () => {
  const created = resourcesOf(template, 'AWS::SQS::Queue');

  test('is encrypted, and keeps what is in it as long as SQS can', () => {
    const withDeadLetters = Object.values(queues).filter(
      ({ maxReceiveCount }) => maxReceiveCount !== undefined,
    );
    expect(created).toHaveLength(Object.keys(queues).length + withDeadLetters.length);
    for (const [, { Properties }] of created) {
      expect(Properties).toMatchObject({
        SqsManagedSseEnabled: true,
        MessageRetentionPeriod: 14 * 24 * 3_600,
      });
    }
  });

  test('is reached through TLS alone', () => {
    const policies = resourcesOf(template, 'AWS::SQS::QueuePolicy');
    expect(policies).toHaveLength(created.length);
    for (const [, { Properties }] of policies) {
      expect(Properties['PolicyDocument']).toMatchObject({
        Statement: [
          { Effect: 'Deny', Action: 'sqs:*', Condition: { Bool: { 'aws:SecureTransport': 'false' } } },
        ],
      });
    }
  });

  const queueOf = (name: string): Record<string, unknown> =>
    created.find(([id]) => new RegExp(`^Queues${name}[0-9A-F]{8}$`).test(id))?.[1].Properties ?? {};

  const read = Object.entries(queues).filter(([, { maxReceiveCount }]) => maxReceiveCount !== undefined);

  test.each(read)('%s has dead letters', (name, { visibilityTimeout, maxReceiveCount }) => {
    expect(queueOf(name)).toMatchObject({
      VisibilityTimeout: visibilityTimeout,
      RedrivePolicy: {
        deadLetterTargetArn: { 'Fn::GetAtt': [expect.stringMatching(`^Queues${name}deadletters`), 'Arn'] },
        maxReceiveCount,
      },
    });
  });

  test('keeps a message to itself at least as long as the Lambda behind it may take', () => {
    const timeouts = new Map(
      resourcesOf(template, 'AWS::Lambda::Function').map(([, { Properties }]) => [
        Properties['Description'],
        Number(Properties['Timeout']),
      ]),
    );
    const sources: readonly EventSource[] = eventSources;
    for (const source of sources) {
      if (!('queue' in source)) continue;
      const timeout = timeouts.get(`OMI: ${source.lambda}`);
      expect(timeout).toBe(source.timeout ?? 10);
      expect(queues[source.queue]?.visibilityTimeout).toBeGreaterThanOrEqual(Number(timeout));
    }
    // An expiry is recorded within a minute, also where the first Lambda died of it.
    expect(definitions.expiry.visibilityTimeout).toBeLessThan(60);
  });

  test('of parked records keeps order within a group, and has limits that hold for a group', () => {
    expect(queueOf('parking')).toMatchObject({
      FifoQueue: true,
      DeduplicationScope: 'messageGroup',
      FifoThroughputLimit: 'perMessageGroupId',
    });
  });

  test('outlives its stack in production, with what is in it', () => {
    for (const [, queue] of created) expect(queue.DeletionPolicy).toBe('Retain');
  });
});

test('the exporter reads every event that was accepted, in order of its aggregate, with time for slow targets', () => {
  const { FilterCriteria, ...mapping } = mappingOf('export-events');
  const { Filters } = FilterCriteria as { Filters: { Pattern: string }[] };
  expect(Filters.map(({ Pattern }) => JSON.parse(Pattern) as unknown)).toEqual([
    { eventName: ['INSERT'], dynamodb: { NewImage: { sequence: { S: [{ exists: true }] } } } },
  ]);
  expect(mapping).toMatchObject({
    BatchSize: 1_000,
    BisectBatchOnFunctionError: true,
    EventSourceArn: { 'Fn::GetAtt': [expect.stringMatching(/^Dataevents/), 'StreamArn'] },
    StartingPosition: 'TRIM_HORIZON',
  });
  // Above 1 a shard's records are shared out by item, and an aggregate's events are items of their own.
  expect(mapping).not.toHaveProperty('ParallelizationFactor');
  expect(mapping).not.toHaveProperty('MaximumBatchingWindowInSeconds');
});

test('the bucket of failed records is closed to the public, encrypted, and emptied like the events table', () => {
  const [[, bucket] = [], ...others] = resourcesOf(template, 'AWS::S3::Bucket');
  expect(others).toEqual([]);
  expect(bucket?.Properties).toMatchObject({
    BucketEncryption: expect.anything() as unknown,
    PublicAccessBlockConfiguration: {
      BlockPublicAcls: true,
      BlockPublicPolicy: true,
      IgnorePublicAcls: true,
      RestrictPublicBuckets: true,
    },
    LifecycleConfiguration: { Rules: [{ ExpirationInDays: 14, Status: 'Enabled' }] },
  });
});

const rates = { day: 'rate(1 day)', 'five-minutes': 'rate(5 minutes)' };

test.each(schedules)('$lambda is called by the clock, and again where it fails', ({ lambda, every }) => {
  const rules = resourcesOf(template, 'AWS::Events::Rule').map(([, { Properties }]) => Properties);
  const [rule, ...others] = rules.filter(
    ({ Targets }) => lambdaBehind(template, (Targets as { Arn: unknown }[])[0]?.Arn) === lambda,
  );
  expect(others).toEqual([]);
  expect(rule).toMatchObject({
    ScheduleExpression: rates[every],
    Targets: [{ RetryPolicy: { MaximumRetryAttempts: 2 } }],
  });
});
