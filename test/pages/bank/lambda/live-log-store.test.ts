import { ScanCommand, type DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { TableLog } from '../../../../pages/bank/lambda/live-log-store.ts';
import type { Message, Topic } from '../../../../pages/bank/server/live/log.ts';
import { demoDatabase, table } from './tables.ts';

let now = Date.parse('2026-03-02T10:00:00.000Z');
let client: DynamoDBDocumentClient;
let errors: unknown[] = [];
/** The Lambda that calls the service, and the one that answers the page. */
let writer: TableLog;
let reader: TableLog;

const logOn = (name: string): TableLog =>
  new TableLog(client, { table: name, now: () => now, onError: (error) => errors.push(error) });

beforeAll(async () => {
  client = await demoDatabase();
});
beforeEach(() => {
  [errors, writer, reader] = [[], logOn(table), logOn(table)];
});

const call = (path: string): Omit<Message, 'id'> => ({
  name: 'call',
  at: now,
  data: { path, tags: ['é ☕'] },
});

async function written(topic: Topic, ...paths: string[]): Promise<void> {
  for (const path of paths) writer.append(topic, call(path));
  await writer.flush();
}

/** As the live stream reads: what is there, else what comes next. */
async function read(topics: Topic[], id = 0): Promise<Message[]> {
  const signal = new AbortController();
  const idle = reader.idle().then(() => signal.abort());
  reader.after(topics, id);
  await reader.next(topics, signal.signal);
  if (signal.signal.aborted) await idle;
  return reader.after(topics, id);
}

const pathsOf = (messages: Message[]): unknown[] =>
  messages.map(({ data }) => (data as { path: string }).path);

describe('calls', () => {
  test('are read completely and in order by another Lambda', async () => {
    await written('session:a', '/1', '/2', '/3');
    const messages = await read(['session:a', 'user:alice']);
    expect(pathsOf(messages)).toEqual(['/1', '/2', '/3']);
    expect(messages[0]).toEqual({ id: expect.any(Number), ...call('/1') });
    expect(messages.map(({ id }) => id)).toEqual(messages.map(({ id }) => id).toSorted((a, b) => a - b));
  });

  test('are not read again by a page that has them', async () => {
    await written('session:b', '/1', '/2');
    const [first] = await read(['session:b']);
    expect(pathsOf(await read(['session:b'], first?.id))).toEqual(['/2']);
    const last = (await read(['session:b'])).at(-1);
    expect(await read(['session:b'], last?.id)).toEqual([]);
  });

  test('belong to one session, even if one Lambda answers several', async () => {
    await written('session:c', '/secret');
    expect(await read(['session:c'])).toHaveLength(1);
    expect(reader.after(['session:d'], 0)).toEqual([]);
    expect(await read(['session:d'])).toEqual([]);
  });

  test('are deleted when the session ends', async () => {
    await written('session:e', '/1');
    await read(['session:e']);
    reader.end('session:e');
    expect(reader.after(['session:e'], 0)).toEqual([]);
  });

  test('expire after an hour', async () => {
    await written('session:f', '/1');
    now += 3_600_000;
    expect(await read(['session:f'])).toEqual([]);
  });

  test('are limited to the latest ones', async () => {
    await written('session:g', ...Array.from({ length: 205 }, (_, index) => `/${index}`));
    const paths = pathsOf(await read(['session:g']));
    expect(paths).toHaveLength(200);
    expect(paths.at(-1)).toBe('/204');
  });
});

test('no item contains the id of a session, which is the secret of its cookie', async () => {
  await written('session:very-secret', '/1');
  const { Items = [] } = await client.send(new ScanCommand({ TableName: table }));
  expect(Items.length).toBeGreaterThan(1);
  expect(JSON.stringify(Items)).not.toContain('very-secret');
  for (const { ttl } of Items) expect(Number.isInteger(ttl)).toBe(true);
});

test('a call that cannot be written is reported, and affects nothing else', async () => {
  const broken = logOn('no-such-table');
  broken.append('session:a', call('/1'));
  await broken.flush();
  expect(errors).toMatchObject([{ name: 'ResourceNotFoundException' }]);
});
