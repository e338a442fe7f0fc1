import { v5 as uuidv5 } from 'uuid';
import { producedBy, type LogEvent, type Producer } from '../../events/event.ts';
import { rfc3339 } from '../../kernel/time.ts';
import type { GrownLog } from './grown-log-store.ts';
import type { SignedCheckpoint } from './log-head.ts';

export const checkpointType = 'CheckpointEvent';

/** An event that tells the state of a log is in none. */
export const isInLog = (type: string): boolean => type !== checkpointType;

/** Any UUID: it keeps these ids apart from others that are made of names (RFC 9562, section 5.5). */
const namespace = '0b0f4ae2-9f3d-4f6c-8a51-3f5f1f6f6c07';

/** Tells a tenant the state of its log, so that it holds what the service cannot change any more. */
export function checkpointEvent(
  { ref: { tenantId, category }, hour }: GrownLog,
  { size, text }: SignedCheckpoint,
  producer: Producer,
  now: number,
): LogEvent {
  const [origin = '', , root = ''] = text.split('\n');
  return {
    metadata: {
      agent: `log-${category}`,
      category: 'log',
      description: `The log of ${category} events has ${size} ${size === 1 ? 'minute' : 'minutes'}`,
      eventId: uuidv5([origin, hour].join('\n'), namespace),
      metadataVersion: '1.0',
      occurredTime: rfc3339(now),
      ...producedBy(producer),
      tenantId,
      tags: ['LIFECYCLE'],
      traceId: `log-${hour}`,
      type: checkpointType,
    },
    payload: { category, origin, size, root, checkpoint: text },
  };
}
