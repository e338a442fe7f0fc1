/** The tables and views of Athena, and how they read lines of a bucket. */
import { describe, expect, test } from '@jest/globals';
import { eventMembers } from '../../lib/tenant/athena/columns.ts';
import { currentCatalogue, readSchema } from '../../core/events/schemas/published.ts';
import { event, recordOf } from '../packages/consumer/support/events.ts';
import { deploy, templateOf } from './tenant/deployment.ts';
import { readLine, type SerdeProperties } from './tenant/json-serde.ts';

type Column = { Name: string; Type: string };
type TableInput = {
  Name: string;
  TableType: string;
  Parameters: Record<string, string>;
  PartitionKeys: Column[];
  StorageDescriptor: { Columns: Column[]; Location?: string; SerdeInfo: { Parameters?: SerdeProperties } };
  ViewOriginalText?: string;
};
type View = { originalSql: string; schema: string; columns: { name: string; type: string }[] };

const { resources } = deploy(templateOf('athena-tables'), {
  BucketName: 'our-events',
  FirstHour: '2026/03/01/08',
  DatabaseName: 'omi_events',
});
const tables = Object.fromEntries(
  Object.values(resources)
    .filter((properties) => 'TableInput' in properties)
    .map(({ TableInput, DatabaseName }) => {
      expect(DatabaseName).toBe('omi_events');
      const input = TableInput as unknown as TableInput;
      return [input.Name, input];
    }),
);
function tableOf(name: string): TableInput {
  const table = tables[name];
  if (!table) throw new Error(`There is no table ${name}`);
  return table;
}

function viewOf(name: string): View {
  const [, encoded = ''] = /^\/\* Presto View: (.*) \*\/$/.exec(tableOf(name).ViewOriginalText ?? '') ?? [];
  return JSON.parse(Buffer.from(encoded, 'base64').toString()) as View;
}

describe('the Athena tables', () => {
  test.each(['public', 'log'])('find the objects of an hour (%s)', (category) => {
    const { Parameters, PartitionKeys, StorageDescriptor } = tableOf(`${category}_objects`);
    expect(PartitionKeys).toEqual([{ Name: 'datehour', Type: 'string' }]);
    expect(Parameters).toMatchObject({
      'projection.datehour.format': 'yyyy/MM/dd/HH',
      'projection.datehour.range': '2026/03/01/08,NOW',
      'storage.location.template': `s3://our-events/\${datehour}/${category}/`,
    });
    expect(StorageDescriptor.Location).toBe('s3://our-events/');
  });

  test('have every member of every published payload', () => {
    const [{ Type } = { Type: '' }] = tableOf('public_objects').StorageDescriptor.Columns;
    for (const { schema } of currentCatalogue().payloads)
      for (const member of Object.keys(readSchema(schema).properties ?? {}))
        expect(Type).toMatch(new RegExp(`[<,]${member.toLowerCase()}:(string|boolean)`));
  });
});

describe('names that differ only in case', () => {
  test.each(['public', 'log'])('are different members, not an error of the line (%s)', (category) => {
    const line = recordOf(awkward);
    const [read = ''] = linesAsRead(line, category);
    const { events } = JSON.parse(read) as { events: { metadata: object; payload: object }[] };
    expect(events[0]?.metadata).toMatchObject({ description: 'Two of a kind', eventid: expect.any(String) });
    expect(() => readLine(line, {})).toThrow('Duplicate key "a"');
  });

  test('never occur in what the service publishes, so each column has one member', () => {
    for (const members of Object.values(eventMembers)) {
      const all = { ...members.metadata, ...('payload' in members ? members.payload : {}) };
      const lower = Object.keys(all).map((name) => name.toLowerCase());
      expect(lower).toEqual([...new Set(lower)]);
    }
  });
});

describe('the Athena views', () => {
  test.each(['public_events', 'log_events'])('have the same columns for Glue and for Athena (%s)', (name) => {
    const { columns, schema } = viewOf(name);
    const glueTypes: Record<string, string> = { varchar: 'string', 'timestamp(3)': 'timestamp' };
    expect(tableOf(name).StorageDescriptor.Columns).toEqual(
      columns.map((column) => ({ Name: column.name, Type: glueTypes[column.type] ?? column.type })),
    );
    expect(schema).toBe('omi_events');
    expect(tableOf(name)).toMatchObject({ TableType: 'VIRTUAL_VIEW', Parameters: { presto_view: 'true' } });
  });
});

/** Its producer has members of its own, whose names differ in case alone or are like those of the service. */
const awkward = event('a', {
  metadata: { category: 'log', description: 'Two of a kind', type: 'OddEvent' },
  payload: { a: 1, A: 2, inner: [{ url: 'x', URL: 'y', Url: 'z' }], userid: 'no', userId: 'yes' },
});

/** A line as Athena reads it by the table's properties. */
const linesAsRead = (text: string, category: string): string[] => {
  const { Parameters = {} } = tableOf(`${category}_objects`).StorageDescriptor.SerdeInfo;
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.stringify(readLine(line, Parameters)));
};
