/** The Lambdas of docs/examples, on records that the exporter wrote, and what all readers share. */
import { afterAll, afterEach, beforeAll, describe, expect, jest, test } from '@jest/globals';
import type { KinesisStreamEvent } from 'aws-lambda';
import { momentOf, SeenEvents, unwrap } from '../../docs/examples/typescript/events.ts';
import { handler } from '../../docs/examples/typescript/stream-lambda.ts';
import { ExportWorld } from '../support/export-world.ts';
import { ConsumerProject } from './tenants/consumer-project.ts';
import { base64, streamOf, type AnyEvent } from './tenants/exported.ts';
import { feedPython, hasPython } from './tenants/programs.ts';
import { asPrinted, eventsOf, printed, publicEventAt, publicStory, type Told } from './tenants/story.ts';

let world: ExportWorld;
let project: ConsumerProject;
beforeAll(async () => {
  world = await ExportWorld.start();
  project = await ConsumerProject.create();
});
afterEach(() => void jest.restoreAllMocks());
afterAll(async () => {
  await project.remove();
  await world.close();
});

type LambdaRecord = KinesisStreamEvent['Records'][number];

/** As Lambda hands records of a shard over. */
async function lambdaRecords(stream: string): Promise<LambdaRecord[]> {
  const records = await world.read(stream);
  return records.map(({ data, sequenceNumber, partitionKey }): LambdaRecord => {
    const kinesis = {
      approximateArrivalTimestamp: 1,
      data: base64(data),
      kinesisSchemaVersion: '1.0',
      partitionKey,
      sequenceNumber,
    };
    const eventID = `shardId-000000000000:${sequenceNumber}`;
    return { ...source, eventID, kinesis };
  });
}

const source = {
  awsRegion: 'eu-central-1',
  eventName: 'aws:kinesis:record',
  eventSource: 'aws:kinesis',
  eventSourceARN: 'arn:aws:kinesis:eu-central-1:000000000000:stream/events',
  eventVersion: '1.0',
  invokeIdentityArn: 'arn:aws:iam::000000000000:role/consumer',
};

type Lambda = {
  name: string;
  missing?: string | false;
  /** Calls it with these batches, one after the other. */
  invoke: (batches: LambdaRecord[][]) => Promise<{ answers: unknown[]; lines: string[] }>;
};

function answersAndLines(output: string): { answers: unknown[]; lines: string[] } {
  const lines = output.trimEnd().split('\n');
  const isAnswer = (line: string): boolean => line.startsWith('{"answer"');
  const answers = lines.filter(isAnswer).map((line) => (JSON.parse(line) as { answer: unknown }).answer);
  return { answers, lines: lines.filter((line) => !isAnswer(line)) };
}

const lambdas: Lambda[] = [
  {
    name: 'TypeScript with @omi/consumer',
    invoke: async (batches) => {
      const events = batches.map((Records) => ({ Records }));
      const { output } = await project.invoke('stream-lambda', events);
      return answersAndLines(output);
    },
  },
  {
    name: 'TypeScript',
    invoke: async (batches) => {
      const log = jest.spyOn(console, 'log').mockReturnValue();
      jest.spyOn(console, 'error').mockReturnValue();
      const answers = [];
      for (const Records of batches) answers.push(await handler({ Records }));
      return { answers, lines: log.mock.calls.map(([line]) => String(line)) };
    },
  },
  {
    name: 'Python',
    missing: !hasPython && 'python3, 3.9 or newer, is not on this machine',
    invoke: async (batches) => {
      return answersAndLines(await feedPython({ batches }));
    },
  },
];

describe.each(lambdas)('a Lambda in $name', ({ missing, invoke }) => {
  const its = missing ? test.skip : test;
  const because = missing ? ` (skipped: ${missing})` : '';

  its(`stops where a record fails, and goes on from there when it comes again${because}`, async () => {
    const stories: Told[][] = [];
    const next = (tenantId: string): AnyEvent[] => {
      const told = publicStory(tenantId, 'alice');
      stories.push(told);
      return eventsOf(told);
    };
    const records = await lambdaRecords(await streamOf(world, [next, next, next]));
    const [first, second, third] = records;
    if (!first || !second || !third) throw new Error('There should be three records');
    const torn = { ...second, kinesis: { ...second.kinesis, data: base64('{"event":{}}') } };

    const { answers, lines } = await invoke([[first, torn, third], records]);
    expect(answers).toEqual([
      { batchItemFailures: [{ itemIdentifier: second.kinesis.sequenceNumber }] },
      { batchItemFailures: [] },
    ]);
    expect(printed(lines.join('\n'))).toEqual(stories.flat().map(asPrinted));
  });
});

describe('shared code of the readers', () => {
  const times = ['2026-03-01T10:30+01', '2026-03-01T09:30:00,5Z', '2026-03-01T05:00:60.25-0430'];
  const milliseconds = [0, 500, 60_250].map((more) => Date.UTC(2026, 2, 1, 9, 30) + more);

  const ids = ['T A', 'T b', 'T a', 'T c', 'T d', 'T a', 'T D', 'U d'];
  const seen = ids.map((id) => {
    const [tenantId, eventId] = id.split(' ');
    return { metadata: { tenantId, eventId } };
  });
  /** Of two that are kept: an id is known in any case, for its tenant, and until two others came. */
  const known = [false, false, true, false, false, false, true, false];

  test('parses times and forgets ids in time in TypeScript', () => {
    const [event] = unwrap(JSON.stringify({ events: [publicEventAt('T', 'a', '')] }));
    if (!event) throw new Error('There should be an event');
    const of = (more: object) => ({ ...event, metadata: { ...event.metadata, ...more } });
    expect(times.map((occurredTime) => momentOf(of({ occurredTime })))).toEqual(milliseconds);
    const memory = new SeenEvents(2);
    const answers = seen.map(({ metadata }) => {
      const isKnown = memory.has(of(metadata));
      memory.add(of(metadata));
      return isKnown;
    });
    expect(answers).toEqual(known);
  });

  (hasPython ? test : test.skip)('Python: moments, and ids that are forgotten in time', async () => {
    const moments = JSON.parse(await feedPython({ times })) as number[];
    expect(moments.map((seconds) => Math.round(seconds * 1000))).toEqual(milliseconds);
    expect(JSON.parse(await feedPython({ seen, capacity: 2 }))).toEqual(known);
  });
});
