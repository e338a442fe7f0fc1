import { expect } from '@jest/globals';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { exportBatch } from '../../core/export/delivery/export-batch.ts';
import { redeliverBatch } from '../../core/export/delivery/redeliver-batch.ts';
import type { Step } from '../../tools/models/traces.ts';
import { type Answer, DeliveryParts, type Place } from './delivery-parts.ts';
import { Gate, type Stop } from './gate.ts';

type UnderWay = { gate: Gate<Place>; stop: Stop<Place>; name: string };

/** Plays a run of the model on the exporter and the redelivery. A crash is a Lambda that never goes on. */
export async function playDelivery(
  client: DynamoDBDocumentClient,
  steps: readonly Step[],
): Promise<DeliveryParts> {
  const parts = new DeliveryParts(client);
  await parts.register();
  const underWay = new Map<string, UnderWay>();
  for (const { rest } of steps) {
    const [who = '', step = '', ...values] = rest;
    if (who === 'tenant') await parts.change(step);
    else if (step === 'load' || step === 'take') underWay.set(who, await begin(parts, who, values));
    else if (step === 'crash') underWay.delete(who);
    else await goOn(parts, underWay.get(who), step, values);
  }
  return parts;
}

/** An event by its aggregate, which is the number of the shard, and its own number. */
async function begin(parts: DeliveryParts, who: string, values: string[]): Promise<UnderWay> {
  const gate = new Gate<Place>();
  const deps = parts.deps(gate);
  if (who.startsWith('shard')) {
    const record = parts.record(who.slice('shard'.length), values[0] ?? '');
    return { gate, name: who, stop: await gate.start(async () => await exportBatch(deps, [record])) };
  }
  const { head } = parts.queue;
  expect(head?.body).toContain(`"name":"${values.join('/')}"`);
  const messages = head ? [head] : [];
  return { gate, name: who, stop: await gate.start(async () => await redeliverBatch(deps, messages)) };
}

async function goOn(
  parts: DeliveryParts,
  its: UnderWay | undefined,
  step: string,
  [, , result = '']: string[],
): Promise<void> {
  if (!its) throw new Error('The model goes on with a Lambda that has not begun');
  if (step === 'ack' || step === 'delete') {
    expect([its.name, its.stop]).toEqual([its.name, { outcome: [] }]);
    if (step === 'delete') parts.queue.delete();
    return;
  }
  const isHeld = 'outcome' in its.stop && step === 'deliver' && result === 'refused';
  if (!isHeld) {
    expect([its.name, its.stop]).toEqual([its.name, { at: step }]);
    if (step === 'deliver') parts.answer = result as Answer;
    if (step === 'park') parts.queue.nextPosition = Number(result);
    its.stop = await its.gate.go();
  }
  const isLane = its.name.startsWith('lane');
  if (isLane && step === 'deliver' && result === 'refused')
    expect(its.stop).toEqual({ outcome: [parts.queue.head?.messageId] });
}

/** Nothing is lost, and the first copies of each aggregate's events come in order. */
export function expectAll(received: readonly string[], aggregates: readonly string[], events: number): void {
  for (const aggregate of aggregates) {
    const first = [...new Set(received.filter((name) => name.startsWith(`${aggregate}/`)))];
    expect(first).toEqual(Array.from({ length: events }, (_, index) => `${aggregate}/${index + 1}`));
  }
}
