/** A machine that fails takes nothing with it: each scene is under way when the stack is killed, and goes on afterwards. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, test } from '@jest/globals';
import { OwnStack } from '../support/own-stack.ts';
import { bank } from './killed/bank.ts';
import { callbacks } from './killed/callbacks.ts';
import { batch, buffer } from './killed/exports.ts';
import { removal } from './killed/removal.ts';
import type { KilledScene } from './killed/scene.ts';
import { webhooks } from './killed/webhooks.ts';

const LONG = 240_000;
let data = '';
let stack: OwnStack;

const start = async (): Promise<void> => {
  stack = new OwnStack({ dataDirectory: data });
  await stack.start();
};

beforeAll(async () => {
  data = await mkdtemp(join(tmpdir(), 'omi-data-'));
  await start();
}, LONG);
afterAll(async () => {
  await stack.stop();
  await rm(data, { recursive: true, force: true });
}, LONG);

const scenes = {
  'the phones of the demo bank are still there; sessions are over, and the accounts begin anew': bank,
  'a removal before the deletion at SNS is made good': () => removal(data),
  'call-backs come when it is there again, with the ids that they had': callbacks,
  'Firehose writes what it held': buffer,
  // The calls of webhooks keep the exporter from other events.
  'webhooks come when it is there again, in order': webhooks,
};
const batchScene = {
  // The exporter goes on with it, so it is under way alone.
  'a batch that is delivered goes on: nothing is lost, and order stays': () => batch(data),
};

describe('what was under way', () => killed(scenes));
describe('a batch', () => killed(batchScene));

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
  }, LONG);
  afterAll(async () => {
    for (const scene of begun.values()) await scene.close?.();
  });

  test.each(Object.keys(makers))('%s', async (name) => await begun.get(name)?.check(stack), LONG);
}
