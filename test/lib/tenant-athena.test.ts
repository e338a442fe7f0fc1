/** The tables, views and queries of Athena, on objects as a bucket has them. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { eventMembers } from '../../lib/tenant/athena/columns.ts';
import { currentCatalogue, readSchema } from '../../core/events/schemas/published.ts';
import { event, recordOf } from '../packages/consumer/support/events.ts';
import { deploy, templateOf } from './tenant/deployment.ts';
import { readLine, type SerdeProperties } from './tenant/json-serde.ts';
import { duckDbType, engines, runSql } from './tenant/sql-engines.ts';

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
const queries = Object.fromEntries(
  Object.values(resources)
    .filter((properties) => 'QueryString' in properties)
    .map((properties) => {
      const { Name, QueryString } = properties as { Name: string; QueryString: string };
      return [Name.replace('OMI: ', ''), QueryString];
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

const folder = mkdtempSync(join(tmpdir(), 'omi-athena-'));
afterAll(() => rmSync(folder, { recursive: true }));

const now = new Date();
const today = `${now.toISOString().slice(0, 10)}T00:00:00Z`;
/** Today, so many seconds after midnight, as some producer wrote it. */
const at = (seconds: number, offset = 0): string => {
  const moment = new Date(Date.parse(today) + (seconds + offset * 3600) * 1000).toISOString();
  return offset === 0 ? moment : moment.replace('Z', `+0${offset}:00`);
};
const keyOf = (moment: Date, category: string, name: string): string =>
  `${moment.toISOString().slice(0, 13).replace(/[-T]/g, '/')}/${category}/${name}`;

type Told = { type: string; at: string; payload: object };
const told = ({ type, at: occurredTime, payload }: Told, more: object = {}) =>
  event('aggregate', { metadata: { type, occurredTime, ...more }, payload });

const confirmation = (challengeId: string, userId: string, seconds: number) => ({
  sent: told({
    type: 'PushNotificationSentEvent',
    at: at(seconds),
    payload: { userId, challengeId, deviceId: 'd', messageHash: 'h' },
  }),
  end: (type: string, after: number, payload: object = {}) =>
    told({
      type,
      at: at(seconds + after, 2),
      payload: { userId, challengeId, deviceId: 'd', messageHash: 'h', ...payload },
    }),
});

const [one, two, three, four] = [
  confirmation('c1', 'alice', 60),
  confirmation('c2', 'bob', 70),
  confirmation('c3', 'bob', 3700),
  confirmation('c4', 'carol', 3800),
];
const denied = two.end('PushNotificationDeniedEvent', 4, { reason: 'not_me' });
const stories = [
  one.sent,
  one.end('PushNotificationConfirmedEvent', 2, { userVerified: true }),
  two.sent,
  denied,
  three.sent,
  three.end('PushNotificationDeniedEvent', 6, { reason: 'user_declined' }),
  four.sent,
  four.end('PushNotificationExpiredEvent', 120),
  told({
    type: 'UserDeviceRegisteredEvent',
    at: at(10),
    payload: { userId: 'alice', clientId: 'c', deviceId: 'd1', platform: 'fcm' },
  }),
  told({
    type: 'UserDeviceRegisteredEvent',
    at: at(20),
    payload: { userId: 'alice', clientId: 'c', deviceId: 'd2', platform: 'web', later: { member: 1 } },
  }),
  told({ type: 'UserCreatedEvent', at: 'some day', payload: { userId: 'alice' } }, { later: true }),
];
const old = told({ type: 'UserCreatedEvent', at: '2026-01-02T03:04:05Z', payload: { userId: 'old' } });
const entry = event('a', {
  metadata: { category: 'log', description: 'The password was wrong', type: 'PasswordRefusedEvent' },
  payload: ['a list', 1],
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

/** With an object that was delivered twice. */
const objects: Record<string, string> = {
  [keyOf(now, 'public', 'one')]: `${recordOf(...stories.slice(0, 5))}\n${recordOf(...stories.slice(5))}\n`,
  [keyOf(now, 'public', 'again')]: `${recordOf(denied)}\n{"events":[]}\n`,
  '2026/01/02/03/public/old': `${recordOf(old)}\n`,
  [keyOf(now, 'log', 'log')]: `${recordOf(entry, awkward)}\n`,
};
for (const [key, text] of Object.entries(objects)) {
  const category = key.split('/')[4] ?? '';
  mkdirSync(dirname(join(folder, key)), { recursive: true });
  writeFileSync(join(folder, key), `${linesAsRead(text, category).join('\n')}\n`);
}

/** As partition projection makes the table from the objects' keys. */
const tableSql = (category: string): string => {
  const [column] = tableOf(`${category}_objects`).StorageDescriptor.Columns;
  const files = join(folder, '*/*/*/*', category, '*');
  const hour = `regexp_extract(filename, '(\\d{4}/\\d{2}/\\d{2}/\\d{2})/${category}/', 1)`;
  const options = `format = 'newline_delimited', columns = {events: '${duckDbType(column?.Type ?? '')}'}, filename = true`;
  return `CREATE VIEW ${category}_objects AS SELECT events, ${hour} AS datehour FROM read_json('${files}', ${options})`;
};

const names = Object.keys(queries);
const views = Object.fromEntries(
  ['public_events', 'log_events'].map((name) => [name, viewOf(name).originalSql]),
);

(engines === undefined ? describe.skip : describe)('the SQL', () => {
  const broken = 'SELECT FROM public_events WHERE';
  const result = runSql(engines ?? '', {
    trino: [...Object.values(queries), ...Object.values(views), broken],
    setup: [tableSql('public'), tableSql('log')],
    views,
    queries: [
      ...Object.values(queries),
      'SELECT * FROM log_events ORDER BY type DESC',
      "SELECT occurred_at, user_id, datehour FROM public_events WHERE type = 'UserCreatedEvent' ORDER BY user_id",
      "SELECT DISTINCT user_verified FROM public_events WHERE type = 'PushNotificationConfirmedEvent'",
    ],
  });
  const rowsOf = async (name: string): Promise<unknown[]> =>
    (await result).rows[names.indexOf(name)] ?? [`there is no query ${name}`];
  const day = `${today.slice(0, 10)} 00:00:00`;

  test('the tested SQL engine is Trino', async () => {
    const { faults } = await result;
    expect(faults.at(-1)).not.toEqual([]);
    expect(faults.slice(0, -1).flat()).toEqual([]);
  });

  test('the query for confirmations counts them per hour', async () => {
    expect(await rowsOf('Confirmations per hour')).toEqual([
      { hour: day, asked: '2', confirmed: '1', denied: '1', expired: '0', cancelled: '0', failed: '0' },
      {
        hour: day.replace('00:00:00', '01:00:00'),
        ...{ asked: '2', confirmed: '0', denied: '1', expired: '1', cancelled: '0', failed: '0' },
      },
    ]);
  });

  test('the query for denials counts each once by user', async () => {
    expect(await rowsOf('Denials by user')).toEqual([
      { user_id: 'bob', denials: '2', not_me: '1', latest: day.replace('00:00:00', '01:01:46') },
    ]);
  });

  test('the query for the time to answer ignores unanswered confirmations', async () => {
    expect(await rowsOf('Time to answer')).toEqual([
      { day, answers: '3', median_seconds: 4, p90_seconds: expect.closeTo(5.6, 5) },
    ]);
  });

  test('the query for devices counts those added', async () => {
    expect(await rowsOf('Devices added')).toEqual([
      { day, platform: 'fcm', devices: '1', users: '1' },
      { day, platform: 'web', devices: '1', users: '1' },
    ]);
  });

  test("the query for events counts the last week's by type", async () => {
    const rows = (await rowsOf('Events by type')) as { type: string; events: string; duplicates: string }[];
    const counts = rows.map(({ type, events, duplicates }) => [type, events, duplicates]);
    expect(counts).toEqual([
      ['PushNotificationSentEvent', '4', '0'],
      ['PushNotificationDeniedEvent', '2', '1'],
      ['UserDeviceRegisteredEvent', '2', '0'],
      ['PushNotificationConfirmedEvent', '1', '0'],
      ['PushNotificationExpiredEvent', '1', '0'],
      ['UserCreatedEvent', '1', '0'],
    ]);
  });

  test('a time in an unknown format is empty and fails no query, and values have their types', async () => {
    const [log, created, verified] = (await result).rows.slice(names.length);
    expect(log).toMatchObject([
      { type: 'PasswordRefusedEvent', description: 'The password was wrong' },
      { type: 'OddEvent', description: 'Two of a kind' },
    ]);
    expect(created).toMatchObject([
      { user_id: 'alice', occurred_at: null },
      { user_id: 'old', occurred_at: '2026-01-02 03:04:05', datehour: '2026/01/02/03' },
    ]);
    expect(verified).toEqual([{ user_verified: true }]);
  });
});
