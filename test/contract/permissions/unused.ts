import type { Permission } from '../../lib/policies.ts';

type Exception = { resources: readonly string[]; actions: readonly string[]; reason: string; isLate?: true };

/** Granted, though no call on the local stack needs it; with the reason. */
const reasons: readonly Exception[] = [
  {
    resources: ['ownLogs'],
    actions: ['CreateLogStream', 'PutLogEvents'],
    reason: "Lambda itself writes what the function logs; the local stack's goes to a file",
  },
  {
    resources: ['*'],
    actions: ['PutTraceSegments', 'PutTelemetryRecords'],
    reason: 'the X-Ray daemon beside each function sends the traces; there is none on the local stack',
  },
  {
    resources: ['eventsStream', 'tenantsStream'],
    actions: ['ListStreams'],
    reason: 'Lambda asks for it when the event source mapping is made',
  },
  {
    resources: [
      ...['expiryQueue', 'callbacksQueue', 'retriesQueue', 'parkingQueue', 'provisioningQueue'],
      ...['replaysQueue', 'verificationsQueue'],
    ],
    actions: ['GetQueueAttributes'],
    reason: 'Lambda asks for it when the event source mapping is made, and scales its pollers by it',
  },
  {
    resources: ['failedRecords'],
    actions: ['PutObject', 'ListBucket'],
    reason: 'Lambda itself writes there, after half a day of failures',
  },
  {
    resources: ['deliveryStreams'],
    actions: ['DeleteDeliveryStream'],
    // Where the paths take longer than that, it is used.
    isLate: true,
    reason:
      'it drains for two minutes first; test/core/export/kinds/bucket/provisioning/provision-target.test.ts moves the clock',
  },
];

/** Each one a permission that somebody must have. */
export const excused: readonly (Permission & Pick<Exception, 'isLate'>)[] = reasons.flatMap(
  ({ resources, actions, isLate }) =>
    resources.flatMap((resource) =>
      actions.map((action) => ({ resource, action, ...(isLate && { isLate }) })),
    ),
);

export const isUnusedForAReason = ({ resource, action }: Permission): boolean =>
  excused.some((known) => known.resource === resource && known.action === action);
