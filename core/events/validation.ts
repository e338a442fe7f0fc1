import logEvent from './schemas/log-event-1.0.json' with { type: 'json' };
import publicEvent from './schemas/public-event-1.0.json' with { type: 'json' };
import { isObject } from '../kernel/json.ts';
import type { FieldFault } from '../kernel/refusal.ts';
import { isReserved, recordable } from './catalogue.ts';
import { compile, type JsonSchema } from './json-schema.ts';

const log = logEvent.properties.metadata;
const pub = publicEvent.properties.metadata;

/** For an event without a valid category: the rules of both categories, and the rule of every field. */
const anyEvent: JsonSchema = {
  ...logEvent,
  properties: {
    ...logEvent.properties,
    metadata: {
      ...log,
      properties: {
        ...log.properties,
        ...pub.properties,
        category: { enum: [pub.properties.category.const, log.properties.category.const] },
      },
      required: log.required.filter((name) => pub.required.includes(name)),
    },
  },
};

const envelopes = new Map<unknown, ReturnType<typeof compile>>([
  ['public', compile(publicEvent)],
  ['log', compile(logEvent)],
]);
const anyEnvelope = compile(anyEvent);

const unknownName = (pointer: string, known: string[]): FieldFault[] => [
  { pointer, detail: `expected one of ${[...new Set(known)].join(', ')}` },
];

/** What the type and version of a public event ask for. */
function payloadFaults(
  metadata: Record<string, unknown>,
  payload: unknown,
  pointer: string,
): Iterable<FieldFault> {
  const { type, payloadVersion } = metadata;
  if (isReserved(type)) return [];
  const versions = recordable.filter((entry) => entry.type === type);
  if (versions.length === 0) {
    return unknownName(
      `${pointer}/metadata/type`,
      recordable.map((entry) => entry.type),
    );
  }
  const known = versions.find(({ version }) => version === payloadVersion);
  if (known) return known.payload(payload, `${pointer}/payload`);
  return unknownName(
    `${pointer}/metadata/payloadVersion`,
    versions.map(({ version }) => version),
  );
}

/** Every fault of an event from outside, by the published schemas. A reserved type is not a fault of form. */
export function* eventFaults(event: unknown, pointer: string): Generator<FieldFault, void> {
  const { metadata, payload } = isObject(event) ? event : {};
  const fields = isObject(metadata) ? metadata : {};
  const { category } = fields;
  const named = new Set<string>();
  for (const fault of (envelopes.get(category) ?? anyEnvelope)(event, pointer)) {
    named.add(fault.pointer);
    yield fault;
  }
  if (category !== 'public') return;
  for (const fault of payloadFaults(fields, payload, pointer)) if (!named.has(fault.pointer)) yield fault;
}
