import { v5 as uuidv5 } from 'uuid';
import { producedBy, type LogEvent, type Producer } from '../../events/event.ts';
import type { TargetRef } from '../../events/target-ref.ts';
import { rfc3339 } from '../../kernel/time.ts';
import { describeTargetStatus, shownState } from '../targets/target-status.ts';
import type { Target, TargetState } from '../targets/target.ts';
import { factsOf } from './notice.ts';

/** Two images of a target in the tenants table's stream. */
export type Change = {
  ref: TargetRef;
  before: Target | undefined;
  after: Target;
  /** The number of the record in the stream: the same if it comes again. */
  sequenceNumber: string;
  /** Milliseconds since 1970. */
  at: number;
};

/** `from` is missing for a new target. */
export type StateMove = { from: TargetState | undefined; to: TargetState };

/** The change of the state that people see. @returns nothing if it stays the same */
export function stateMove({ before, after, at }: Change): StateMove | undefined {
  const from = before && shownState(before, at);
  const to = shownState(after, at);
  return from === to ? undefined : { from, to };
}

/**
 * A log target that is slow would be told so by an event, be found slow by its delivery, and so on without end. What passes by itself
 * is therefore not in its own log. Nor is its beginning, which would only wait there until its first test has passed.
 */
export const isForLog = ({ ref: { category } }: Change, { from, to }: StateMove): boolean =>
  category !== 'log' || (from !== undefined && !(passing.has(to) && passing.has(from)));

const passing: ReadonlySet<TargetState> = new Set(['active', 'degraded']);

/** Any UUID: it keeps these ids apart from others that are made of names (RFC 9562, section 5.5). */
const namespace = '5f7c2f0e-3f0b-4a6f-9d7e-0f6f3a0f2b51';

/** The event of a change. The same change always makes the same event, so that it is recorded once. */
export function stateChangedEvent(change: Change, { from, to }: StateMove, producer: Producer): LogEvent {
  const { ref, after, sequenceNumber, at } = change;
  const { tenantId, category } = ref;
  const { state: _, ...facts } = factsOf(after, at);
  const name = [tenantId, category, sequenceNumber, to].join('\n');
  return {
    metadata: {
      agent: `export-${category}`,
      category: 'log',
      description: `The export of ${category} events is ${to}`,
      eventId: uuidv5(name, namespace),
      metadataVersion: '1.0',
      occurredTime: rfc3339(at),
      ...producedBy(producer),
      tenantId,
      tags: ['LIFECYCLE'],
      traceId: `export-${sequenceNumber}`,
      type: 'ExportTargetStateChangedEvent',
    },
    payload: { ...(from && { from }), to, who: describeTargetStatus(after, at).actor, ...facts },
  };
}
