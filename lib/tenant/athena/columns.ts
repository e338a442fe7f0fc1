import { currentCatalogue, readSchema } from '../../../core/events/schemas/published.ts';

type SimpleType = 'string' | 'boolean';
/** Members as they are in JSON. */
type Members = Record<string, SimpleType>;

type Properties = Record<string, { type?: unknown }>;

/** A member is text unless its schema says otherwise: an enumeration has no type. Objects and lists are the text of their JSON. */
const typeOf = ({ type }: Properties[string]): SimpleType => (type === 'boolean' ? 'boolean' : 'string');

const membersOf = (properties: Properties): Members =>
  Object.fromEntries(Object.entries(properties).map(([name, property]) => [name, typeOf(property)]));

const propertiesOf = (path: string): Properties =>
  (readSchema(path) as unknown as { properties: Properties }).properties;

function metadataOf(category: string): Members {
  const { metadata } = propertiesOf(`${category}-event-1.0.json`) as unknown as {
    metadata: { properties: Properties };
  };
  const { tags: _tags, ...columns } = metadata.properties;
  return membersOf(columns);
}

/** Every member of every published payload: an event has some of them. */
function publishedPayload(): Members {
  const all = currentCatalogue().payloads.map(({ schema }) => membersOf(propertiesOf(schema)));
  return Object.fromEntries(Object.entries(Object.assign({}, ...all) as Members).sort());
}

/** What Athena reads of a category's events. A log event's payload has no known form. */
export const eventMembers = {
  public: { metadata: metadataOf('public'), payload: publishedPayload() },
  log: { metadata: metadataOf('log') },
};

export type EventMembers = { metadata: Members; payload?: Members };

/** Members in lower case: Glue has no other names. */
const structOf = (members: Members): string =>
  `struct<${Object.entries(members)
    .map(([name, type]) => `${name.toLowerCase()}:${type}`)
    .join(',')}>`;

/** The type of the column `events`: other members of an event are not read. */
export const eventsType = ({ metadata, payload }: EventMembers): string =>
  `array<struct<metadata:${structOf(metadata)}${payload ? `,payload:${structOf(payload)}` : ''}>>`;

/**
 * How the reader of JSON finds the members. By default it ignores case, and fails for all lines of an hour if two members of any
 * object differ in case alone, as those of a log event's payload may:
 * https://docs.aws.amazon.com/athena/latest/ug/openx-json-serde.html
 */
export function serdeProperties({ metadata, payload = {} }: EventMembers): Record<string, string> {
  const mixed = Object.keys({ ...metadata, ...payload }).filter((name) => name !== name.toLowerCase());
  const mappings = mixed.sort().map((name): [string, string] => [`mapping.${name.toLowerCase()}`, name]);
  return { 'case.insensitive': 'FALSE', ...Object.fromEntries(mappings) };
}

export type Column = { name: string; expression: string; hiveType: string; trinoType: string };

const trinoTypes: Record<SimpleType, string> = { string: 'varchar', boolean: 'boolean' };

const snakeCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

const columnsOf = (part: string, members: Members): Column[] =>
  Object.entries(members).map(([name, type]) => ({
    name: snakeCase(name),
    expression: `event.${part}.${name.toLowerCase()}`,
    hiveType: type,
    trinoType: trinoTypes[type],
  }));

/** In UTC, as views have no times with a zone. A form that Athena does not understand fails no query. */
const occurredAt: Column = {
  name: 'occurred_at',
  expression:
    "try(CAST(from_iso8601_timestamp(event.metadata.occurredtime) AT TIME ZONE 'UTC' AS timestamp(3)))",
  hiveType: 'timestamp',
  trinoType: 'timestamp(3)',
};

const dateHour: Column = {
  name: 'datehour',
  expression: 'delivery.datehour',
  hiveType: 'string',
  trinoType: 'varchar',
};

/** The columns of a category's view. `agent` and the like of the metadata win over a payload's member of the same name. */
export function viewColumns({ metadata, payload = {} }: EventMembers): Column[] {
  const columns = [
    ...columnsOf('metadata', metadata),
    occurredAt,
    ...columnsOf('payload', payload),
    dateHour,
  ];
  const names = columns.map(({ name }) => name);
  return columns.filter(({ name }, index) => names.indexOf(name) === index);
}

/** An event for each row, in place of a delivery for each row. */
export function viewSql(table: string, members: EventMembers): string {
  const parts = members.payload ? 'metadata, payload' : 'metadata';
  const select = viewColumns(members).map(({ name, expression }) => `  ${expression} AS ${name}`);
  return [
    'SELECT',
    select.join(',\n'),
    `FROM ${table} AS delivery`,
    `CROSS JOIN UNNEST(delivery.events) AS event (${parts})`,
  ].join('\n');
}
