import type { Permission } from '../../lib/policies.ts';

/** Granted, though no call on the local stack needs it; with the reason. */
const reasons: { resource: string; actions: readonly string[]; reason: string }[] = [
  {
    resource: 'ownLogs',
    actions: ['CreateLogStream', 'PutLogEvents'],
    reason: "Lambda itself writes what the function logs; the local stack's goes to a file",
  },
  {
    resource: '*',
    actions: ['PutTraceSegments', 'PutTelemetryRecords'],
    reason: 'the X-Ray daemon beside each function sends the traces; there is none on the local stack',
  },
  {
    resource: 'eventsStream',
    actions: ['ListStreams'],
    reason: 'Lambda asks for it when the event source mapping is made',
  },
  {
    resource: 'expiryQueue',
    actions: ['GetQueueAttributes'],
    reason: 'Lambda asks for it when the event source mapping is made, and scales its pollers by it',
  },
  {
    resource: 'failedRecords',
    actions: ['PutObject', 'ListBucket'],
    reason: 'Lambda itself writes there, after half a day of failures',
  },
];

export const isUnusedForAReason = ({ resource, action }: Permission): boolean =>
  reasons.some((known) => known.resource === resource && known.actions.includes(action));

/** Each one a permission that somebody must have. */
export const excused: readonly Permission[] = reasons.flatMap(({ resource, actions }) =>
  actions.map((action) => ({ resource, action })),
);
