import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { logger } from '../../core/kernel/observability.ts';
import { models } from '../../tools/models/models.ts';
import { ensureSpin } from '../../tools/models/spin.ts';
import { simulate, type Step } from '../../tools/models/traces.ts';
import { testDatabase } from '../support/dynamodb.ts';
import { expectAll, playDelivery } from './play-delivery.ts';

const runs = 30;
const events = 3;
const file = models.find(({ name }) => name.startsWith('delivery'))?.file ?? '';
const defines = [`EVENTS=${events}`, 'CRASHES=3', 'TROUBLES=3'];

let client: DynamoDBDocumentClient;
let folder: string;
beforeAll(async () => {
  logger.setLogLevel('SILENT');
  await ensureSpin(() => undefined);
  client = await testDatabase({ tenants: 'tenants' });
  folder = await mkdtemp(join(tmpdir(), 'omi-models-'));
});
afterAll(async () => await rm(folder, { recursive: true, force: true }));

const traceOf = async (seed: number): Promise<Step[]> => await simulate({ file, defines, seed }, folder);

test('the model of the delivery is what exporter and redelivery do, in each of its random runs', async () => {
  const failed: string[] = [];
  for (let seed = 1; seed <= runs; seed += 1) {
    const trace = await traceOf(seed);
    try {
      const { received } = await playDelivery(client, trace);
      expectAll(received, ['0', '1'], events);
    } catch (error) {
      failed.push(`Seed ${seed}: ${String(error)}\n${trace.map(({ rest }) => rest.join(' ')).join('\n')}`);
    }
  }
  expect(failed).toEqual([]);
});

test('a run fails in which an event overtakes', async () => {
  const overtaking = [
    ['shard0', 'load', '1'],
    ['shard0', 'deliver', '0', '1', 'refused'],
    ['shard0', 'park', '0', '1', '1'],
    ['shard0', 'mark', '0', '1'],
    ['shard0', 'ack'],
    ['shard0', 'load', '2'],
    ['shard0', 'deliver', '0', '2', 'done'],
  ].map((rest) => ({ word: 'STEP', rest }));
  await expect(playDelivery(client, overtaking)).rejects.toThrow('"at": "park"');
});
