import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { StreamDestination } from '../../../core/export/targets/target.ts';
import { recordedCalls } from '../../support/recorded-calls.ts';
import { OwnStack } from '../../support/own-stack.ts';
import type { TestStack } from '../../support/stack.ts';
import { Arrivals, expectOrder, LONGEST_WAIT_MS } from './arrivals.ts';
import { beginFault } from './faults.ts';
import { idsOf, joined, newKeys, recordRounds, type Source } from './recorded.ts';
import { LONG_MS, refOf, Scene, streamNameOf } from './scene.ts';

async function until(what: string, isSo: () => Promise<boolean>): Promise<void> {
  const end = Date.now() + LONGEST_WAIT_MS;
  while (!(await isSo())) {
    if (Date.now() > end) throw new Error(`Not so: ${what}`);
    await wait(20);
  }
}

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

export function killedStack(): void {
  let data = '';
  let stack: OwnStack;
  const start = async (): Promise<Scene> => {
    stack = new OwnStack({ dataDirectory: data });
    await stack.start();
    return new Scene(stack);
  };
  beforeAll(async () => {
    data = await mkdtemp(join(tmpdir(), 'omi-data-'));
  });
  afterEach(async () => await stack.stop(), LONG_MS);
  afterAll(async () => await rm(data, { recursive: true, force: true }));

  test(
    'while it delivers a batch goes on with it when it is there again: nothing is lost, and order stays',
    async () => {
      const first = await start();
      const subject = await first.newStream();
      const name = streamNameOf(subject.destination);
      const keys = newKeys(8);
      const before = await recordRounds(subject, keys, 2);
      await first.arrived(subject, before);
      await until('the stream is kept', async () => await isKept(data, name));

      // The stream takes what it is sent, but whoever sent it does not live to hear so.
      await beginFault(stack.file, { service: 'kinesis', fault: 'timeout-after', resource: name });
      const calls = await puts(stack, subject.destination);
      const during = await recordRounds(subject, keys, 3);
      await until('a batch is under way', async () => (await puts(stack, subject.destination)) > calls);
      first.close();
      await stack.kill();

      const second = await start();
      const arrivals = await Arrivals.ofStream(stack.file, subject.destination);
      const after = await recordRounds({ ...second.source }, keys, 2);
      await arrivals.include(joined(during, after));
      // What came before was read before.
      expectOrder({ ids: [...subject.arrivals.ids, ...arrivals.ids] }, joined(before, during, after));
      expect((await second.isWell(second.source)).parkedCount).toBe(0);
      arrivals.close();
    },
    LONG_MS,
  );

  test(
    'while Firehose holds events of a bucket writes them there when it is there again',
    async () => {
      const first = await start();
      const { tenantId, website } = first.source;
      const source: Source = { website, tenantId, category: 'log' };
      const target = await first.register.find(refOf(source));
      if (target.destination.kind !== 'bucket') throw new Error('The log events do not go to a bucket');
      const keys = newKeys(4);
      const recorded = await recordRounds(source, keys, 2);
      // All of them were delivered: to Firehose, which waits for more.
      const { length } = idsOf(recorded);
      await first.register.becomes(
        refOf(source),
        'done',
        (now) => now.deliveredCount === target.deliveredCount + length,
      );
      first.close();
      await stack.kill();

      const second = await start();
      const arrivals = Arrivals.ofBucket(second.stack.file, target.destination);
      await arrivals.include(recorded);
      arrivals.close();
      second.close();
    },
    LONG_MS,
  );
}
