import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { models } from '../../tools/models/models.ts';
import { ensureSpin } from '../../tools/models/spin.ts';
import { simulate, type Step } from '../../tools/models/traces.ts';
import { PushWorld } from '../support/push-world.ts';
import { playConfirmation } from './play-confirmation.ts';

/** A run takes about half a second on a busy machine. */
const runs = 25;
let client: DynamoDBDocumentClient;
let folder: string;
beforeAll(async () => {
  await ensureSpin(() => undefined);
  client = await PushWorld.database();
  folder = await mkdtemp(join(tmpdir(), 'omi-models-'));
});
afterAll(async () => await rm(folder, { recursive: true, force: true }));

const traceOf = async (name: string, seed: number): Promise<Step[]> => {
  const model = models.find((one) => one.name === name);
  if (!model) throw new Error(`There is no model ${name}`);
  return await simulate({ ...model, defines: [...model.defines, 'CALLS=7'], seed }, folder);
};

describe.each(['confirmation', 'group'])('the model of a %s', (name) => {
  test('is what the code does, in each of its random runs', async () => {
    const failed: unknown[] = [];
    for (let seed = 1; seed <= runs; seed += 1) {
      const trace = await traceOf(name, seed);
      await playConfirmation(client, trace, name === 'group').catch((error: unknown) => {
        const steps = trace.map(({ word, rest }) => [word, ...rest].join(' ')).join('\n');
        failed.push(`Seed ${seed}: ${String(error)}\n${steps}`);
      });
    }
    expect(failed).toEqual([]);
  });

  test('fails if a step has another outcome than the model says', async () => {
    const trace = await traceOf(name, 1);
    const ends = trace.findLastIndex(({ rest }) => rest[1] === 'end');
    const altered = trace.map((step, index) =>
      index === ends ? { ...step, rest: [...step.rest.slice(0, 2), 'not_found'] } : step,
    );
    await expect(playConfirmation(client, altered, name === 'group')).rejects.toThrow('not_found');
  });
});
