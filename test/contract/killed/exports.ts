import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from '@jest/globals';
import type { BucketDestination } from '../../../core/export/kinds/bucket/record.ts';
import type { StreamDestination } from '../../../core/export/kinds/stream/record.ts';
import { recordedCalls } from '../../support/recorded-calls.ts';
import { until } from '../../support/waiting.ts';
import type { TestStack } from '../../support/stack.ts';
import { TenantAccount } from '../export/targets.ts';
import { Arrivals, expectOrder } from '../export-faults/arrivals.ts';
import { beginFault } from '../export-faults/faults.ts';
import {
  idsOf,
  joined,
  newKeys,
  recordRounds,
  type Recorded,
  type Source,
} from '../export-faults/recorded.ts';
import { refOf, Scene, streamNameOf, type Watched } from '../export-faults/scene.ts';
import type { KilledScene } from './scene.ts';

/** The emulator of Kinesis writes its data down every second: a stream that it does not know would prove nothing. */
async function isKept(data: string, stream: string): Promise<boolean> {
  const folder = join(data, 'kinesis');
  if (!existsSync(folder)) return false;
  const files = await readdir(folder, { recursive: true, withFileTypes: true });
  const texts = files
    .filter((file) => file.isFile())
    .map(async ({ parentPath, name }) => await readFile(join(parentPath, name), 'utf8').catch(() => ''));
  return (await Promise.all(texts)).some((text) => text.includes(stream));
}

const puts = async (stack: TestStack, destination: StreamDestination): Promise<number> =>
  (await recordedCalls(stack)).filter(
    ({ operation, resources }) => operation === 'PutRecords' && resources.includes(streamNameOf(destination)),
  ).length;

/** A stream takes what it is sent, but whoever sent it does not live to hear so. */
export function batch(data: string): KilledScene {
  const keys = newKeys(8);
  let subject: Watched;
  let before: Recorded;
  let during: Recorded;
  return {
    begin: async (stack) => {
      const scene = new Scene(stack);
      subject = await scene.newStream();
      const name = streamNameOf(subject.destination);
      before = await recordRounds(subject, keys, 2);
      await scene.arrived(subject, before);
      await until(async () => await isKept(data, name));

      await beginFault(stack.file, { service: 'kinesis', fault: 'timeout-after', resource: name });
      const calls = await puts(stack, subject.destination);
      during = await recordRounds(subject, keys, 3);
      await until(async () => (await puts(stack, subject.destination)) > calls);
      scene.close();
    },
    check: async (stack) => {
      const scene = new Scene(stack);
      const arrivals = await Arrivals.ofStream(stack.file, subject.destination);
      const after = await recordRounds(scene.source, keys, 2);
      await arrivals.include(joined(during, after));
      // What came before was read before.
      expectOrder({ ids: [...subject.arrivals.ids, ...arrivals.ids] }, joined(before, during, after));
      expect((await scene.isWell(scene.source)).parkedCount).toBe(0);
      arrivals.close();
    },
  };
}

/** Firehose has all of them, and waits for more before it writes. */
export function buffer(): KilledScene {
  let destination: BucketDestination;
  let recorded: Recorded;
  return {
    begin: async (stack) => {
      const {
        register,
        source: { tenantId, website },
      } = new Scene(stack);
      const source: Source = { website, tenantId, category: 'log' };
      const target = await register.find(refOf(source));
      if (target.destination.kind !== 'bucket') throw new Error('The log events do not go to a bucket');
      ({ destination } = target);
      recorded = await recordRounds(source, newKeys(4), 2);
      const delivered = target.deliveredCount + idsOf(recorded).length;
      await register.becomes(refOf(source), 'done', ({ deliveredCount }) => deliveredCount >= delivered);
    },
    check: async (stack) => {
      const arrivals = Arrivals.ofBucket(stack.file, destination);
      await arrivals.include(recorded);
      arrivals.close();
    },
  };
}

/** Events that wait for a tenant to repair its role. Deployments and restarts come and go meanwhile. */
export function parked(data: string): KilledScene {
  let source: Source;
  let subject: Watched;
  let account: string;
  let before: Recorded;
  const keys = newKeys(4);
  return {
    begin: async (stack) => {
      const scene = new Scene(stack);
      const [, { tenantId }] = stack.file.tenants;
      source = { website: stack.neighbour, tenantId, category: 'public' };
      subject = await scene.newStream(source);
      ({ account } = scene.account);
      await scene.account.denyWriting(subject.destination);
      before = await recordRounds(source, keys, 2);
      const waiting = idsOf(before).length;
      await scene.register.becomes(refOf(source), 'parked', ({ parkedCount }) => parkedCount >= waiting);
      await until(async () => await isKept(data, streamNameOf(subject.destination)));
      scene.close();
    },
    check: async (stack) => {
      const scene = new Scene(stack);
      const website = stack.neighbour;
      expect(await scene.register.find(refOf(source))).toMatchObject({ state: 'parked' });
      const after = await recordRounds({ ...source, website }, keys, 2);
      await new TenantAccount(stack.file, account).restorePermissions(subject.destination);
      const arrivals = await Arrivals.ofStream(stack.file, subject.destination);
      await scene.arrived({ arrivals }, joined(before, after));
      arrivals.close();
    },
  };
}
