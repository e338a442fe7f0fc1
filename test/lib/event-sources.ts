import { describe, expect, test } from '@jest/globals';
import { type QueueDefinition, queues as definitions } from '../../core/aws/queues.ts';
import { type EventSource, eventSources } from '../../lambdas/event-sources.ts';
import { timeLimitOf } from '../../lambdas/registered.ts';
import { lambdaBehind, resourcesOf, synthesize } from './synthesize.ts';

const queues: Record<string, QueueDefinition> = definitions;
const template = synthesize('production');
const mappings = resourcesOf(template, 'AWS::Lambda::EventSourceMapping');

/** The event source mapping of a Lambda. */
function mappingOf(lambda: string): Record<string, unknown> {
  const [found, ...others] = mappings
    .map(([, { Properties }]) => Properties)
    .filter(({ FunctionName }) => lambdaBehind(template, FunctionName) === lambda);
  if (!found || others.length > 0) throw new Error(`${lambda} has not one event source`);
  return found;
}

test('exactly the event sources of the table are connected', () => {
  expect(mappings).toHaveLength(eventSources.length);
  for (const { lambda, batchSize } of eventSources) {
    expect(mappingOf(lambda)).toMatchObject({
      BatchSize: batchSize,
      // A failed item does not repeat the successful ones.
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

test('only sent pushes and ends that a client must learn reach schedule-expiry from the stream', () => {
  const { FilterCriteria, ...mapping } = mappingOf('schedule-expiry');
  const { Filters } = FilterCriteria as { Filters: { Pattern: string }[] };
  expect(Filters.map(({ Pattern }) => JSON.parse(Pattern) as unknown)).toEqual([
    { eventName: ['INSERT'], dynamodb: { NewImage: { expiresAt: { N: [{ exists: true }] } } } },
    { eventName: ['INSERT'], dynamodb: { NewImage: { notify: { S: [{ exists: true }] } } } },
  ]);
  expect(mapping).toMatchObject({
    EventSourceArn: { 'Fn::GetAtt': [expect.stringMatching(/^Dataevents/), 'StreamArn'] },
    StartingPosition: 'TRIM_HORIZON',
  });
});

test('a failing record is separated from the others and finally stored whole in the bucket', () => {
  const mapping = mappingOf('schedule-expiry');
  expect(mapping).toMatchObject({
    BisectBatchOnFunctionError: true,
    MaximumRecordAgeInSeconds: 12 * 60 * 60,
    DestinationConfig: {
      OnFailure: { Destination: { 'Fn::GetAtt': [expect.stringMatching(/^FailedRecords/), 'Arn'] } },
    },
  });
  // Then SQS or a permission is the cause, not the record, so the attempts are limited only by time.
  expect(mapping).not.toHaveProperty('MaximumRetryAttempts');
  expect(mapping).not.toHaveProperty('ParallelizationFactor');
});

describe('every queue', () => {
  const created = resourcesOf(template, 'AWS::SQS::Queue');

  const queueOf = (name: string): Record<string, unknown> =>
    created.find(([id]) => new RegExp(`^Queues${name}[0-9A-F]{8}$`).test(id))?.[1].Properties ?? {};

  const read = Object.entries(queues).filter(([, { maxReceiveCount }]) => maxReceiveCount !== undefined);

  test.each(read)('%s has a dead-letter queue', (name, { visibilityTimeout, maxReceiveCount }) => {
    expect(queueOf(name)).toMatchObject({
      VisibilityTimeout: visibilityTimeout,
      RedrivePolicy: {
        deadLetterTargetArn: { 'Fn::GetAtt': [expect.stringMatching(`^Queues${name}deadletters`), 'Arn'] },
        maxReceiveCount,
      },
    });
  });

  test("hides a received message at least for its Lambda's time limit", () => {
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
      expect(timeout).toBe(timeLimitOf(source.lambda) ?? 10);
      expect(queues[source.queue]?.visibilityTimeout).toBeGreaterThanOrEqual(Number(timeout));
    }
    // An expiry must be recorded within a minute, even if the first Lambda dies.
    expect(definitions.expiry.visibilityTimeout).toBeLessThan(60);
  });

  test('keeps the order of a group for parked records, with limits for each group', () => {
    expect(queueOf('parking')).toMatchObject({
      FifoQueue: true,
      DeduplicationScope: 'messageGroup',
      FifoThroughputLimit: 'perMessageGroupId',
    });
  });
});

test('the exporter gets every accepted event, in order of its aggregate, and has time for slow targets', () => {
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
  // Above 1 Lambda keeps the order only of one item, and an aggregate's events are separate items.
  expect(mapping).not.toHaveProperty('ParallelizationFactor');
  expect(mapping).not.toHaveProperty('MaximumBatchingWindowInSeconds');
});
