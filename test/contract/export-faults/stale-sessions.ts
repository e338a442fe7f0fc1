import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { withFault } from '../../../tools/local/client/local-stack.ts';
import type { RecordedCall } from '../../../tools/local/aws/endpoint/call-log.ts';
import { callsOf, recordedCalls } from '../../support/recorded-calls.ts';
import { endSessions, strikes } from './faults.ts';
import { joined, newKeys, recordRounds, type Recorded } from './recorded.ts';
import { type Scene, streamNameOf, type Watched } from './scene.ts';

/** What was called for the subject, oldest first. */
async function callsFor({ stack }: Scene, { destination }: Watched): Promise<RecordedCall[]> {
  const names = [streamNameOf(destination), destination.roleArn];
  return (await recordedCalls(stack)).filter(({ resources }) =>
    names.some((name) => resources.includes(name)),
  );
}

const sessionsIn = (calls: readonly RecordedCall[]): Set<string> =>
  new Set(calls.filter(({ operation }) => operation === 'PutRecords').map(({ caller }) => caller));

/** Whether the exporter called with a session that had ended, then asked for another, and went on with that one. */
function wentOn(before: readonly RecordedCall[], after: readonly RecordedCall[]): boolean {
  const ended = sessionsIn(before);
  const refused = after.findIndex(({ caller }) => ended.has(caller));
  if (refused === -1) return false;
  const opened = callsOf('export-events', after.slice(refused)).find(
    ({ operation }) => operation === 'AssumeRole',
  );
  const since = opened ? after.slice(after.indexOf(opened)) : [];
  return [...sessionsIn(since)].some((session) => !ended.has(session));
}

/** The batch is tried again and again, every call a little slow: the session ends between two of them. */
async function endWithin(
  scene: Scene,
  subject: Watched,
): Promise<{ recorded: Recorded; before: RecordedCall[] }> {
  const { file } = scene.stack;
  const resource = streamNameOf(subject.destination);
  const throttled = { service: 'kinesis', fault: 'throttle', resource, delayMs: 100 } as const;
  const endAtOnce = async (): Promise<RecordedCall[]> => {
    while ((await strikes(file)) === 0) await wait(20);
    const before = await callsFor(scene, subject);
    await endSessions(file);
    return before;
  };
  return await withFault(file, throttled, async () => {
    const [recorded, before] = await Promise.all([recordRounds(subject, newKeys(6), 2), endAtOnce()]);
    return { recorded, before };
  });
}

export function staleSessions(scene: Scene): void {
  test('are renewed in the middle of a batch, which continues', async () => {
    const subject = await scene.newStream();
    let recorded: Recorded = new Map();
    let isProven = false;
    // A batch has two seconds: on a machine that is busy enough it is over before the session is. Then once more.
    for (let attempt = 1; attempt <= 4 && !isProven; attempt += 1) {
      const ended = await endWithin(scene, subject);
      recorded = joined(recorded, ended.recorded);
      await scene.arrived(subject, recorded);
      isProven = wentOn(ended.before, (await callsFor(scene, subject)).slice(ended.before.length));
      await scene.neighbourIsWell();
      await scene.isWell(subject);
    }
    expect(isProven).toBe(true);
  });

  test('require nobody to act if STS throttles their renewal', async () => {
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
  });
}
