/** `omi` for Python verifies what the service proves about its log. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { eventTexts } from '#consumer';
import type { PublicEvent } from '../../../core/events/event.ts';
import { originOf, signedCheckpoint } from '../../../core/export/log/checkpoint.ts';
import { eraseLeaf } from '../../../core/export/log/erase-leaf.ts';
import { hashOfMinute, leafOf } from '../../../core/export/log/leaf.ts';
import { rootOf } from '../../../core/export/log/merkle-tree.ts';
import { type InclusionProof, proveConsistency, proveInclusion } from '../../../core/export/log/prove.ts';
import {
  checkpointOf as checkpointOfLog,
  servedCheckpoint,
} from '../../../core/export/log/served-checkpoint.ts';
import { minutes, seconds } from '../../../core/kernel/time.ts';
import { hasPython, runWithExamples } from '../../docs/tenants/programs.ts';
import { baseUrl, LogWorld, newLogKey } from '../../support/log-world.ts';

const its = hasPython ? test : test.skip;
const signing = newLogKey();
const start = Date.UTC(2026, 10, 12, 9);

type Case = {
  text: string;
  proof: unknown;
  checkpoint: string;
  keys?: unknown;
  baseUrl?: string;
  formerBaseUrls?: string[];
};

let world: LogWorld;
let events: PublicEvent[];

/** Trees of minutes that are complete and that are not. */
beforeAll(async () => {
  world = await LogWorld.start(signing);
  events = [];
  for (const [position, count] of [1, 2, 3, 5, 8].entries()) {
    const some = Array.from({ length: count }, () => world.event());
    await world.accept(some, start + position * minutes);
    await world.close(start + (position + 1) * minutes + 20 * seconds);
    events.push(...some);
  }
});

async function python<Result>(given: object): Promise<Result> {
  const input = { keys: { keys: [signing.published] }, baseUrl, ...given };
  const printed = await runWithExamples('test/packages/python/inclusion.py', JSON.stringify(input));
  return JSON.parse(printed) as Result;
}

const verified = async (cases: readonly Case[]): Promise<unknown[]> =>
  (await python<{ inclusions: unknown[] }>({ cases })).inclusions;

/** The checkpoint of the first minutes. */
async function checkpointOf(size: number, origin = originOf(baseUrl, world.ref(), 1)): Promise<string> {
  const closed = await world.closed();
  const checkpoint = { origin, size, root: rootOf(closed.slice(0, size).map(hashOfMinute)) };
  return await signedCheckpoint(checkpoint, signing.key);
}

async function caseOf(
  event: PublicEvent | undefined,
  size: number,
): Promise<Case & { proof: InclusionProof }> {
  if (!event) throw new Error('There is no such event.');
  const head = await world.logs.head(world.ref());
  const proof = await proveInclusion(world.proofs, head, event.metadata, size);
  return { text: JSON.stringify(event), proof, checkpoint: await checkpointOf(size) };
}

describe('omi for Python', () => {
  its('verifies each event of a log by checkpoints of every size', async () => {
    const first = await Promise.all([1, 2, 3, 4, 5].map(async (size) => await caseOf(events[0], size)));
    const all = await Promise.all(events.map(async (event) => await caseOf(event, 5)));
    expect(await verified(first)).toEqual([1, 2, 3, 4, 5]);
    expect(await verified(all)).toEqual(all.map(() => 5));
  });

  its('rejects an event with other bytes, and the proof of another event', async () => {
    const [one, other] = [await caseOf(events[4], 5), await caseOf(events[7], 5)];
    const cases = [
      { ...one, text: one.text.replace('anna', 'mallory') },
      { ...one, text: one.text.replace(',', ', ') },
      { ...one, proof: other.proof },
      { ...one, checkpoint: await checkpointOf(4) },
    ];
    expect(await verified(cases)).toEqual(cases.map(() => 'wrong-root'));
  });

  its('rejects a proof with anything changed in it', async () => {
    // Of eight events, so its path in the minute has three hashes.
    const { proof, ...one } = await caseOf(events[11], 5);
    const [, ...shorter] = proof.path;
    const longer = [...proof.path, ...proof.path];
    const changed = [
      { ...proof, path: shorter },
      { ...proof, path: longer },
      { ...proof, minutePath: [...proof.minutePath].reverse() },
      { ...proof, leafIndex: proof.leafIndex + 1 },
      { ...proof, leafIndex: -1 },
      { ...proof, treeSize: 6 },
      { ...proof, minute: { ...proof.minute, count: 9 } },
      { ...proof, minute: { ...proof.minute, minute: '2026-11-12T09:03:00Z' } },
    ];
    expect(await verified(changed.map((its_) => ({ ...one, proof: its_ })))).toEqual(
      changed.map(() => 'wrong-root'),
    );
    const malformed = [
      {},
      { ...proof, path: ['x'] },
      { ...proof, minute: null },
      { ...proof, leafIndex: '1' },
    ];
    expect(await verified(malformed.map((its_) => ({ ...one, proof: its_ })))).toEqual(
      malformed.map(() => 'malformed-proof'),
    );
  });

  its('rejects a checkpoint that another key signed, or a key that is not for logs', async () => {
    const one = await caseOf(events[0], 5);
    const [origin = '', size = '', ...rest] = one.checkpoint.split('\n');
    const cases = [
      { ...one, keys: { keys: [newLogKey().published] } },
      { ...one, keys: { keys: [{ ...signing.published, for: 'receipt' }] } },
      { ...one, checkpoint: [origin, `${size}0`, ...rest].join('\n') },
      { ...one, checkpoint: one.checkpoint.replaceAll(world.tenantId, world.another().tenantId) },
    ];
    expect(await verified(cases)).toEqual(cases.map(() => 'wrong-signature'));
    expect(await verified([{ ...one, checkpoint: 'something' }])).toEqual(['malformed-checkpoint']);
  });

  its(
    'rejects the checkpoint of another service, tenant or category, and takes a former base URL',
    async () => {
      const one = await caseOf(events[0], 5);
      const of = async (origin: string): Promise<Case> => ({
        ...one,
        checkpoint: await checkpointOf(5, origin),
      });
      const { tenantId } = world;
      const others = [
        await of(originOf(baseUrl, world.another().ref(), 1)),
        await of(originOf(baseUrl, world.ref('log'), 1)),
        await of(`api.omi.example/${tenantId}/public/1`),
        await of(`api.omi.example/${tenantId}/public/2/3`),
        { ...one, baseUrl: 'https://other.example' },
      ];
      expect(await verified(others)).toEqual(others.map(() => 'other-log'));
      const own = [
        await of(originOf(baseUrl, world.ref(), 2)),
        await of(originOf(baseUrl, world.ref(), 10)),
        { ...one, baseUrl: 'https://new.example', formerBaseUrls: [baseUrl] },
      ];
      expect(await verified(own)).toEqual([5, 5, 5]);
      expect(await verified([{ ...one, text: '{}' }])).toEqual(['malformed-event']);
    },
  );

  its('verifies an event beside an erased one, and the erased one by an earlier proof', async () => {
    const erased = events[12];
    const before = await caseOf(erased, 5);
    const sequence = erased && (await world.proofs.events.find(world.tenantId, erased.metadata));
    const { log } = await world.logs.head(world.ref());
    const leaf = leafOf(JSON.stringify(erased), erased?.metadata.eventId ?? '');
    expect(await eraseLeaf(world, log, leaf, sequence ?? '')).toBe(true);
    expect(await verified([before, await caseOf(events[11], 5)])).toEqual([5, 5]);
  });

  its('verifies that the log goes on from the last checkpoint before a restore', async () => {
    const restored = world.another();
    const deps = { logs: restored.logs, key: signing.key, baseUrl };
    const grow = async (position: number): Promise<void> => {
      await restored.accept([restored.event()], start + position * minutes);
      await restored.close(start + (position + 1) * minutes + 20 * seconds);
    };
    await grow(0);
    await restored.restore();
    const first = (await servedCheckpoint(deps, restored.ref())).signed.text;
    const before = (await checkpointOfLog(deps, restored.ref(), 1)).signed.text;
    await grow(1);
    await grow(2);
    const { head, signed } = await servedCheckpoint(deps, restored.ref());
    const { path } = await proveConsistency(restored.proofs, head, { from: 1, to: 3 });
    const after = signed.text;
    const cases = [
      { before, after, path },
      { before, after: first, path: [] },
      { before, after: first, path },
      { before, after, path: [] },
      { before, after, path: 7 },
      { before: first, after, path },
      { before, after: await checkpointOf(5), path },
      { before: before.replace('\n1\n', '\n2\n'), after, path },
    ];
    const found = await python<{ restored: unknown[] }>({ restored: cases });
    const refused = ['wrong-root', 'wrong-root', 'malformed-proof', 'other-log', 'other-log'];
    expect(found.restored).toEqual([1, 1, ...refused, 'wrong-signature']);
  });

  its('cuts the events of a record as @omi/consumer does', async () => {
    const event = JSON.stringify({ metadata: { eventId: 'é "}{ \\' }, payload: [{ a: '\u2028' }] });
    const records = [
      '{"events":[]}',
      `{"events":[${event}]}`,
      ` { "events" : [ ${event} , ${event.replace('{', '{ ')}\n] }`,
    ];
    const { texts } = await python<{ texts: string[][] }>({ records });
    expect(texts).toEqual(records.map(eventTexts));
    const malformed = [
      '',
      '[]',
      '{"events":',
      '{"events":[{]}',
      '{"events":[{}',
      '{"events":[{}{}]}',
      '{"events":[{},]}',
    ];
    expect(await python({ records: malformed })).toMatchObject({
      texts: malformed.map(() => 'malformed-event'),
    });
  });
});
