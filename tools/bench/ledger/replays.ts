import { QueryCommand } from '@aws-sdk/client-dynamodb';
import type { DynamoDBRecord } from 'aws-lambda';
import { documentClient } from '../../../core/aws/dynamodb-client.ts';
import { bytesOf, EventArchiveStore } from '../../../core/events/event-archive-store.ts';
import { ArchiveReader } from '../../../core/events/archive-reader.ts';
import { hourOf, indexShards } from '../../../core/events/event-keys.ts';
import { isUnreadable, readStreamRecord, type CommittedEvent } from '../../../core/events/event-stream.ts';
import { pack } from '../../../core/export/delivery/packing.ts';
import { hours } from '../../../core/kernel/time.ts';
import { median } from '../report/statistics.ts';
import { slowSink } from '../export/sink.ts';
import { formerIndex, names } from './database.ts';
import { formerKey } from './fill.ts';

/** Seconds, but for the numbers of events and portions. */
export type ReplayFigures = {
  way: string;
  events: number;
  portions: number;
  reading: number;
  whole: number;
  cpu: number;
};

type Range = { tenantId: string; from: number; to: number };
type Pages = AsyncGenerator<CommittedEvent[]>;

const client = () => documentClient();
/** As `replay-events` takes for a step. */
const bytesOfAPortion = 4_000_000;
/** Of a call to a stream. */
const bytesOfACall = 4_000_000;
const rounds = 5;

async function* now(range: Range): Pages {
  const archive = new EventArchiveStore(client(), names.events);
  const reader = new ArchiveReader(archive, { ...range, category: 'public' });
  let isOver = false;
  while (!isOver) {
    const events: CommittedEvent[] = [];
    let bytes = 0;
    do {
      const page = await reader.page(bytesOfAPortion - bytes);
      events.push(...page.events);
      bytes += bytesOf(page.events);
      isOver = page.next === undefined;
    } while (!isOver && bytes < bytesOfAPortion);
    yield events;
  }
}

/** The index had whole items, and pages of 1 MB. */
async function* before({ tenantId, from, to }: Range): Pages {
  const dynamodb = client();
  let events: CommittedEvent[] = [];
  for (let hour = from; hour < to; hour += hours)
    for (let shard = 0; shard < indexShards; shard += 1) {
      let start: Record<string, never> | undefined;
      do {
        const query = {
          TableName: names.former,
          IndexName: formerIndex.name,
          KeyConditionExpression: '#hour = :hour',
          ExpressionAttributeNames: { '#hour': formerIndex.partitionKey },
          ExpressionAttributeValues: { ':hour': { S: formerKey(tenantId, hourOf(hour), shard) } },
          ExclusiveStartKey: start,
        };
        const { Items = [], LastEvaluatedKey } = await dynamodb.send(new QueryCommand(query));
        for (const NewImage of Items) {
          const read = readStreamRecord({ dynamodb: { NewImage } } as DynamoDBRecord);
          if (!isUnreadable(read)) events.push(...read);
        }
        start = LastEvaluatedKey as typeof start;
        if (bytesOf(events) >= bytesOfAPortion) {
          yield events;
          events = [];
        }
      } while (start);
    }
  yield events;
}

/** A stream takes 5 ms for a call, and 50 MB/s. */
async function send(events: readonly CommittedEvent[]): Promise<void> {
  const sink = slowSink(() => undefined);
  const { records } = pack(events, { lanes: 2, lineEnd: '' });
  let call: { partitionKey: string; data: Buffer }[] = [];
  let bytes = 0;
  for (const { lane, data } of records) {
    if (bytes + data.length > bytesOfACall) {
      await sink('stream', call);
      [call, bytes] = [[], 0];
    }
    call.push({ partitionKey: lane, data });
    bytes += data.length;
  }
  await sink('stream', call);
}

async function measureOnce(way: string, pages: Pages): Promise<ReplayFigures> {
  const began = performance.now();
  const cpu = process.cpuUsage();
  let [reading, events, portions] = [0, 0, 0];
  let since = began;
  for await (const portion of pages) {
    reading += performance.now() - since;
    await send(portion);
    events += portion.length;
    portions += 1;
    since = performance.now();
  }
  const { user, system } = process.cpuUsage(cpu);
  const whole = (performance.now() - began) / 1000;
  return { way, events, portions, reading: reading / 1000, whole, cpu: (user + system) / 1e6 };
}

const ways = { before, now } as const;

/** Both ways take turns. The medians count, because other programs may use the machine. */
export async function measureReplays(range: Range): Promise<ReplayFigures[]> {
  const all: ReplayFigures[] = [];
  for (let round = 0; round <= rounds; round += 1)
    for (const [way, pages] of Object.entries(ways)) {
      const figures = await measureOnce(way, pages(range));
      // The first round warms up.
      if (round > 0) all.push(figures);
    }
  return Object.keys(ways).map((way) => {
    const its = all.filter((one) => one.way === way);
    const of = (name: Exclude<keyof ReplayFigures, 'way'>) => median(its.map((one) => one[name]));
    return {
      way,
      events: of('events'),
      portions: of('portions'),
      reading: of('reading'),
      whole: of('whole'),
      cpu: of('cpu'),
    };
  });
}
