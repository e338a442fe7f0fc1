import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { beforeAll, expect, test } from '@jest/globals';
import { render } from '../../../tools/bench/targets/report.ts';
import type { Result } from '../../../tools/bench/targets/stage.ts';
import { withTrouble, targetsOf } from '../../../tools/bench/targets/targets.ts';
import { sharedOfRun } from '../../support/run-services.ts';
import type { Measured } from './targets/measuring.ts';

const count = 12;

let result: Result;
beforeAll(async () => {
  const endpoint = await sharedOfRun('dynamodb');
  const workerData: Measured = { endpoint, count, seed: 14, command: 'target list' };
  const thread = new Worker(new URL('targets/measuring.ts', import.meta.url), { workerData });
  [result] = (await once(thread, 'message')) as [Result];
});

test('every target gets its events, and no session or secret is opened twice', () => {
  const [first, again] = result.rows;
  const delivered = { PutRecords: 4, PutRecordBatch: 4, webhook: 4 };
  expect(first?.calls).toMatchObject({ ...delivered, AssumeRole: 4, Decrypt: 4 });
  expect(again?.calls).toMatchObject(delivered);
  expect(again?.calls).not.toHaveProperty('AssumeRole');
  expect(again?.calls).not.toHaveProperty('Decrypt');
});

test('every target is asked for a test, and is tested in full', () => {
  const [asked, tested] = result.rows.slice(-2);
  expect(asked?.calls).toMatchObject({ SendMessageBatch: 2 });
  // Three of a stream, with its external id, without it and with a wrong one, and one of a bucket.
  expect(tested?.calls).toMatchObject({ AssumeRole: 16, PutRecords: 4, PutObject: 4, webhook: 4 });
});

test('the CLI is measured in its own process', () => {
  const [list] = result.commands;
  expect(list).toMatchObject({ command: 'target list', code: 0, lines: count + 3, calls: { Scan: 1 } });
  expect(render(result)).toContain('| `omi target list` |');
});

test('the seed chooses the targets that need an action', () => {
  const targets = targetsOf(1_000, { webhooks: 'http://127.0.0.1/webhooks' });
  const parked = (seed: number) =>
    withTrouble(targets, seed).flatMap(({ tenantId, state }) => (state === 'parked' ? [tenantId] : []));
  expect(parked(14)).toEqual(parked(14));
  expect(parked(14)).not.toEqual(parked(15));
  expect(parked(14).length).toBeLessThan(30);
});
