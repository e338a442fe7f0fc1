import type { Call } from '../../../local/aws/calls.ts';
import { POLLER } from '../../../local/aws/credentials.ts';
import { localQueues } from '../../../local/queues.ts';
import { localTables } from '../../../local/tables.ts';
import type { LambdaName } from '../../../lambdas/environments.ts';
import { type EventSource, eventSources } from '../../../lambdas/event-sources.ts';
import type { Permission } from '../../lib/policies.ts';
import { callsOf } from '../../support/recorded-calls.ts';

const inverted = (names: Record<string, string>, suffix = ''): [string, string][] =>
  Object.entries(names).map(([own, local]) => [local, `${own}${suffix}`]);

const indexes = Object.entries(localTables).map(([own, local]): [string, string] => [
  `${local}/index/byHour`,
  `${own}Index`,
]);
const ownNames = new Map([...inverted(localTables), ...indexes, ...inverted(localQueues, 'Queue')]);

const streamOperations = new Set(['DescribeStream', 'GetRecords', 'GetShardIterator']);

/**
 * As the policies name a resource. AWS writes nowhere whether SNS asks for the permission on an endpoint or on its
 * application; refusals that people quote name the application, also for calls on an endpoint. So those need both.
 */
function namesOf(resource: string, operation: string): string[] {
  if (resource.includes(':app/')) return ['applications'];
  if (resource.includes(':endpoint/')) return ['applications', 'endpoints'];
  const name = ownNames.get(resource) ?? resource;
  return [streamOperations.has(operation) ? `${name}Stream` : name];
}

/** A transaction needs the permissions of its parts; SQS has one for a message and for a batch of them. */
function permissionsFor({ operation, resources, parts }: Call): Permission[] {
  const done = parts ?? resources.map((resource) => ({ operation, resource }));
  return done.flatMap((one) =>
    namesOf(one.resource, one.operation).map((resource) => ({
      resource,
      action: one.operation.replace(/MessageBatch$/, 'Message').replace(/VisibilityBatch$/, 'Visibility'),
    })),
  );
}

/** Lambda polls streams and queues with the permissions of the function that it calls for them. */
function polledFor(lambda: LambdaName, calls: readonly Call[]): Permission[] {
  const sources: readonly EventSource[] = eventSources;
  const source = sources.find((one) => one.lambda === lambda);
  if (!source) return [];
  const polled = 'stream' in source ? `${source.stream}Stream` : `${source.queue}Queue`;
  return calls
    .filter(({ caller }) => caller === POLLER)
    .flatMap(permissionsFor)
    .filter(({ resource }) => resource === polled);
}

/** What the Lambda could not have done without. */
export const neededBy = (lambda: LambdaName, calls: readonly Call[]): Permission[] => [
  ...callsOf(lambda, calls).flatMap(permissionsFor),
  ...polledFor(lambda, calls),
];
