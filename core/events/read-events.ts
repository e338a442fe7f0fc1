import type { Event } from './event.ts';
import { ownProducerId, testProducerId } from './own-events.ts';
import { isDeeperThan, isList, isObject } from '../kernel/json.ts';
import { Refusal, refusalOf, type FieldFault, type RefusalCode } from '../kernel/refusal.ts';
import { isReserved } from './catalogue.ts';
import { compile } from './json-schema.ts';
import { eventFaults } from './validation.ts';

/** Bytes. */
export const largestCallBytes = 3 * 1024 * 1024;
const largestEvent = 256 * 1024;
const mostEvents = 100;
/** Levels that any consumer's parser takes. */
const deepestNesting = 100;

const bodyFaults = compile({
  type: 'object',
  properties: { events: { type: 'array', minItems: 1, title: `a list of 1 to ${mostEvents} events` } },
  required: ['events'],
  additionalProperties: false,
});

const idPointer = (position: number): string => `/events/${position}/metadata/eventId`;

function sizeFaults(event: unknown, pointer: string): FieldFault[] {
  if (isDeeperThan(deepestNesting, event)) {
    return [{ pointer, detail: `expected at most ${deepestNesting} levels of nesting` }];
  }
  if (Buffer.byteLength(JSON.stringify(event)) <= largestEvent) return [];
  return [{ pointer, detail: `expected at most ${largestEvent} bytes of JSON without white space` }];
}

function eventIdOf(event: unknown): string | undefined {
  const metadata = isObject(event) && isObject(event['metadata']) ? event['metadata'] : {};
  const { eventId } = metadata;
  return typeof eventId === 'string' ? eventId.toLowerCase() : undefined;
}

function repetitionFaults(events: unknown[]): FieldFault[] {
  const seen = new Set<string>();
  return events.flatMap((event, position) => {
    const id = eventIdOf(event);
    if (id === undefined) return [];
    const detail = 'expected an id that no other event of the call has';
    if (seen.has(id)) return [{ pointer: idPointer(position), detail }];
    seen.add(id);
    return [];
  });
}

type Metadata = Event['metadata'];
type Right = {
  code: RefusalCode;
  message: string;
  /** By the member to which the rule applies. */
  expected: Partial<
    Record<keyof Metadata, { detail: string; allows: (metadata: Metadata, tenantId: string) => boolean }>
  >;
};

const ownProducers = [ownProducerId, testProducerId];

/** The rules that decide whether this caller may record a well-formed event, in the order of the checks. */
const rights: Right[] = [
  {
    code: 'wrong-tenant',
    message: 'Every event of a call belongs to the tenant of its access token.',
    expected: {
      tenantId: {
        detail: 'expected the tenant of the access token',
        allows: (metadata, tenantId) => metadata.tenantId.toLowerCase() === tenantId.toLowerCase(),
      },
    },
  },
  {
    code: 'reserved-type',
    message: 'Only the service makes events of this type or producer.',
    expected: {
      type: {
        detail: 'expected a type that is not reserved',
        allows: ({ type }) => !isReserved(type),
      },
      producerId: {
        detail: `expected another producer than ${ownProducers.join(' and ')}`,
        allows: ({ producerId }) => !ownProducers.includes(producerId),
      },
    },
  },
];

function checkRights(events: Event[], tenantId: string): void {
  for (const { expected, ...kind } of rights) {
    const faults = events.flatMap(({ metadata }, position) =>
      Object.entries(expected)
        .filter(([, { allows }]) => !allows(metadata, tenantId))
        .map(([member, { detail }]) => ({ pointer: `/events/${position}/metadata/${member}`, detail })),
    );
    const refusal = refusalOf(faults, kind);
    if (refusal) throw refusal;
  }
}

function* callFaults(body: unknown, events: unknown[]): Generator<FieldFault, void> {
  yield* bodyFaults(body, '');
  for (const [position, event] of events.entries()) {
    const pointer = `/events/${position}`;
    yield* eventFaults(event, pointer);
    yield* sizeFaults(event, pointer);
  }
  yield* repetitionFaults(events);
}

/**
 * The events of a request's body, unchanged: nothing is added, removed or converted.
 *
 * @throws {Refusal} in this order: too many, every fault of form, another tenant's, a reserved type or producer
 */
export function readEvents(body: unknown, tenantId: string): Event[] {
  const list = isObject(body) ? body['events'] : undefined;
  const events = isList(list) ? list : [];
  if (events.length > mostEvents) {
    throw new Refusal('too-large', `Expected at most ${mostEvents} events.`);
  }
  const refusal = refusalOf(callFaults(body, events));
  if (refusal) throw refusal;
  checkRights(events as Event[], tenantId);
  return events as Event[];
}

/** @param positions of events whose id another event has */
export const idsTaken = (positions: number[]): Refusal =>
  new Refusal('event-id-already-used', 'Another event of the same aggregate has this id.', {
    errors: positions.map((position) => ({
      pointer: idPointer(position),
      detail: 'expected an id that no other event of the aggregate has',
    })),
  });
