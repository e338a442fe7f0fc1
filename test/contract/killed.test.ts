/** A machine that fails takes nothing with it: each scene is under way when the stack is killed, and goes on afterwards. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, test } from '@jest/globals';
import { OwnStack } from '../support/own-stack.ts';
import { bank } from './killed/bank.ts';
import { callbacks } from './killed/callbacks.ts';
import { batch, buffer, parked } from './killed/exports.ts';
import { removal } from './killed/removal.ts';
import type { KilledScene } from './killed/scene.ts';
import { signals } from './killed/signals.ts';
import { webhooks } from './killed/webhooks.ts';

let data = '';
let stack: OwnStack;

const start = async (): Promise<void> => {
  stack = new OwnStack({ dataDirectory: data });
  await stack.start();
};

beforeAll(async () => {
  data = await mkdtemp(join(tmpdir(), 'omi-data-'));
  await start();
});
afterAll(async () => {
  await stack.stop();
  await rm(data, { recursive: true, force: true });
});

const scenes = {
  'the demo bank keeps its phones, ends sessions and resets accounts': bank,
  'the endpoint of a removed device is deleted at SNS': () => removal(data),
  'callbacks arrive with their former ids': callbacks,
  'Firehose writes the events that it held': buffer,
  'events that wait for a repair go on waiting, and arrive in order after it': () => parked(data),
  'signals arrive once each, with a verification': signals,
  // The calls of webhooks keep the exporter from other events.
  'webhooks arrive in order': webhooks,
};
const batchScene = {
  // The exporter goes on with it, so it is under way alone.
  'the batch continues without loss and in order': () => batch(data),
};

describe('a restart after the stack was killed', () => killed(scenes));
describe('a restart after the stack was killed during a batch', () => killed(batchScene));

function killed(makers: Record<string, () => KilledScene | Promise<KilledScene>>): void {
  const begun = new Map<string, KilledScene>();

  beforeAll(async () => {
    for (const [name, make] of Object.entries(makers)) {
      const scene = await make();
      begun.set(name, scene);
      await scene.begin(stack);
    }
    await stack.kill();
    for (const scene of begun.values()) await scene.whileDead?.();
    await start();
  });
  afterAll(async () => {
    for (const scene of begun.values()) await scene.close?.();
  });

  test.each(Object.keys(makers))('%s', async (name) => await begun.get(name)?.check(stack));
}
