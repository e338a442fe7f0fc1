import { setTimeout as wait } from 'node:timers/promises';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { GetQueueUrlCommand, SQSClient } from '@aws-sdk/client-sqs';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { beforeAll, expect, test } from '@jest/globals';
import { ReplayQueue } from '../../../core/export/replays/replay-queue.ts';
import { type ReplayProgress, ReplayStore } from '../../../core/export/replays/replay-store.ts';
import { startReplay } from '../../../core/export/replays/start-replay.ts';
import { accessAs, using } from '../../../tools/local/seed/aws-access.ts';
import { localQueues } from '../../../tools/local/resources/queues.ts';
import { localTables } from '../../../tools/local/resources/tables.ts';
import { eventually } from '../../support/waiting.ts';
import { idsOf, joined, newKeys, recordRounds, type Recorded } from './recorded.ts';
import { refOf, type Scene } from './scene.ts';

const betweenRoundsMs = 100;

export type History = { recorded: Recorded; from: number; to: number };

/** Recorded before everything else: a replay waits until the index is sure to show the end of its time. */
export function useHistory(scene: Scene): () => History {
  let history: History | undefined;
  beforeAll(async () => {
    const { neighbour } = scene;
    const from = Date.now();
    const recorded = await recordRounds(neighbour, newKeys(5), 3);
    await scene.arrived(neighbour, recorded);
    history = { recorded, from, to: Date.now() };
  });
  return () => {
    if (!history) throw new Error('Nothing was recorded');
    return history;
  };
}

/** As the operator's command begins one. */
async function replay(scene: Scene, { from, to }: History): Promise<void> {
  const { neighbour, register, stack } = scene;
  const { region, endpoints } = stack.file.aws;
  const credentials = { accessKeyId: 'OPERATOR', secretAccessKey: 'local' };
  const dynamodb = new DynamoDBClient(accessAs('OPERATOR', stack.file.aws, 'dynamodb'));
  const sqs = new SQSClient({ region, endpoint: endpoints.sqs, credentials });
  await using(dynamodb, async () => {
    await using(sqs, async () => {
      const { QueueUrl = '' } = await sqs.send(new GetQueueUrlCommand({ QueueName: localQueues.replays }));
      const replays = new ReplayStore(DynamoDBDocumentClient.from(dynamodb), localTables.tenants);
      const deps = { targets: register.targets, replays, queue: new ReplayQueue(sqs, QueueUrl) };
      const replayId = await startReplay(deps, { ...refOf(neighbour), from, to });
      let progress: ReplayProgress | undefined;
      await eventually(
        () => `the replay is done: ${JSON.stringify(progress)}`,
        async () => {
          progress = await replays.find({ ...refOf(neighbour), replayId });
          return progress?.state === 'done' || undefined;
        },
      );
    });
  });
}

export function replays(scene: Scene, history: () => History): void {
  test('sends all events of its range once more, beside new events', async () => {
    const { neighbour } = scene;
    const { recorded } = history();
    const keys = [...recorded.keys(), ...newKeys(3)];
    let live: Recorded = new Map();
    let isOver = false;
    const flowing = async (): Promise<void> => {
      while (!isOver) {
        live = joined(live, await recordRounds(neighbour, keys, 1));
        await wait(betweenRoundsMs);
      }
    };
    const flow = flowing();
    try {
      await replay(scene, history());
    } finally {
      isOver = true;
      await flow;
    }
    const again = new Set(idsOf(recorded));
    await neighbour.arrivals.until('all of the replay', (events) => {
      const times = Map.groupBy(events, ({ metadata }) => metadata.eventId);
      return [...again].every((id) => (times.get(id)?.length ?? 0) >= 2);
    });
    await scene.arrived(neighbour, joined(recorded, live));
    expect(idsOf(live).length).toBeGreaterThan(0);
    await scene.isWell(neighbour);
  });
}
