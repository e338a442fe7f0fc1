import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { withFault } from '../../../local/client/local-stack.ts';
import { recordedCalls } from '../../support/recorded-calls.ts';
import { endSessions, strikes } from './faults.ts';
import { newKeys, recordRounds } from './recorded.ts';
import { LONG_MS, type Scene, streamNameOf, type Watched } from './scene.ts';

/** What was called for the subject, oldest first. */
async function callsFor({ stack }: Scene, { destination }: Watched): Promise<string[]> {
  const names = [streamNameOf(destination), destination.roleArn];
  const calls = await recordedCalls(stack);
  return calls
    .filter(
      ({ operation, resources }) => isExport(operation) && names.some((name) => resources.includes(name)),
    )
    .map(({ operation }) => operation);
}

const isExport = (operation: string): boolean => ['PutRecords', 'AssumeRole'].includes(operation);

export function staleSessions(scene: Scene): void {
  test(
    'that end while a batch is being delivered are opened anew, and the batch goes on',
    async () => {
      const { file } = scene.stack;
      const subject = await scene.newStream();
      const resource = streamNameOf(subject.destination);
      // The batch is tried again and again, every call a little slow: the session ends between two of them.
      const throttled = { service: 'kinesis', fault: 'throttle', resource, delayMs: 100 } as const;
      const before = await withFault(file, throttled, async () => {
        const recorded = await recordRounds(subject, newKeys(6), 2);
        while ((await strikes(file)) === 0) await wait(20);
        const { length } = await callsFor(scene, subject);
        await endSessions(file);
        return { recorded, length };
      });
      await scene.arrived(subject, before.recorded);
      const calls = (await callsFor(scene, subject)).slice(before.length);
      expect(calls.indexOf('PutRecords')).toBeLessThan(calls.indexOf('AssumeRole'));
      expect(calls.lastIndexOf('PutRecords')).toBeGreaterThan(calls.indexOf('AssumeRole'));
      await scene.neighbourIsWell();
      await scene.isWell(subject);
    },
    LONG_MS,
  );

  test(
    'that STS is too busy to open are nobody’s fault',
    async () => {
      const { file } = scene.stack;
      const subject = await scene.newStream();
      const { roleArn } = subject.destination;
      const throttled = { service: 'sts', fault: 'throttle', resource: roleArn } as const;
      const recorded = await withFault(file, throttled, async () => {
        const sent = await recordRounds(subject, newKeys(6), 2);
        const { fault } = await scene.register.reaches(subject, 'degraded');
        expect(fault).toMatchObject({ actor: 'nobody', code: 'Throttling' });
        await scene.neighbourIsWell();
        return sent;
      });
      await scene.arrived(subject, recorded);
      await scene.isWell(subject);
    },
    LONG_MS,
  );
}
