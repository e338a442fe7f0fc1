import type { RecordedCall } from '../../../tools/local/aws/endpoint/call-log.ts';
import { poller } from '../../../tools/local/aws/endpoint/caller.ts';
import type { LambdaName } from '../../../lambdas/registered.ts';
import { type EventSource, eventSources } from '../../../lambdas/event-sources.ts';
import type { Permission } from '../../lib/policies.ts';
import { callsOf } from '../../support/recorded-calls.ts';
import { namesOf } from './resources.ts';

/**
 * What AWS asks for with a call, though it is no call of its own: who tags a delivery stream as it is made, or hands
 * Firehose a role, must be allowed to ("API operations defined by Amazon Kinesis Firehose" in the Service Authorization
 * Reference).
 */
const passesRole: Permission = { resource: 'deliveryRoles', action: 'PassRole' };
const implied: Partial<Record<string, readonly Permission[]>> = {
  CreateDeliveryStream: [{ resource: 'deliveryStreams', action: 'TagDeliveryStream' }, passesRole],
  UpdateDestination: [passesRole],
};

/** SQS has one permission for a message and for a batch of them. */
const actionOf = (operation: string): string =>
  operation.replace(/MessageBatch$/, 'Message').replace(/VisibilityBatch$/, 'Visibility');

/** A transaction needs the permissions of its parts. */
function permissionsFor({ service, operation, resources, parts }: RecordedCall): Permission[] {
  const done = parts ?? resources.map((resource) => ({ operation, resource }));
  const asked = done.flatMap((one) =>
    namesOf(service, one.operation, one.resource).map((resource) => ({
      resource,
      action: actionOf(one.operation),
    })),
  );
  return [...asked, ...(implied[operation] ?? [])];
}

const polledBy = (source: EventSource): string =>
  'stream' in source ? `${source.stream}Stream` : `${source.queue}Queue`;

/** Lambda polls streams and queues with the permissions of the function that it calls for them. */
function polledFor(lambda: LambdaName, calls: readonly RecordedCall[]): Permission[] {
  const sources: readonly EventSource[] = eventSources;
  const polled = new Set(sources.filter((source) => source.lambda === lambda).map(polledBy));
  if (polled.size === 0) return [];
  return calls
    .filter(({ caller }) => caller === poller)
    .flatMap(permissionsFor)
    .filter(({ resource }) => polled.has(resource));
}

/** What the Lambda could not have done without. Calls with credentials that it assumed are in `tenant-sessions.ts`. */
export const neededBy = (lambda: LambdaName, calls: readonly RecordedCall[]): Permission[] => [
  ...callsOf(lambda, calls).flatMap(permissionsFor),
  ...polledFor(lambda, calls),
];
