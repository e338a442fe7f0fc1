import { expect, test } from '@jest/globals';
import type { TargetRef } from '../../../core/events/target-ref.ts';
import { writerPolicies } from '../../../tools/local/seed/stream-target.ts';
import { Arrivals, expectOrder } from './arrivals.ts';
import { countsAddUp } from './counts.ts';
import { beginFault, endSessions } from './faults.ts';
import { idsOf, joined, newKeys, recordRounds } from './recorded.ts';
import { refOf, type Scene, streamNameOf, type Watched } from './scene.ts';

/** Breaks the subject's stream; the function that it returns repairs it. */
type Break = (
  scene: Pick<Scene, 'account' | 'stack'>,
  subject: Pick<Watched, 'destination'>,
) => Promise<() => Promise<unknown>>;

const roleMayNotWrite: Break = async ({ account }, { destination }) => {
  const Statement = [{ Effect: 'Deny', Action: 'kinesis:PutRecords', Resource: '*' }];
  await account.changePermissions(destination, { Version: '2012-10-17', Statement });
  return async () => await account.restorePermissions(destination);
};

/** A session that is open is not asked for the external id again. */
const externalIdChanged: Break = async ({ account, stack }, { destination }) => {
  const { trustPolicy } = writerPolicies({ ...destination, externalId: 'somebody-elses-0123456789' });
  await account.changeTrust(destination, trustPolicy);
  await endSessions(stack.file);
  return async () => await account.restoreTrust(destination);
};

const keyDisabled: Break = async ({ stack }, { destination }) => {
  const fault = { service: 'kinesis', fault: 'disabled', resource: streamNameOf(destination) } as const;
  return await beginFault(stack.file, fault);
};

const breaks: [string, Break, string, RegExp][] = [
  ['the role lacks write permission', roleMayNotWrite, 'AccessDenied', /allow the role kinesis:PutRecords/],
  ['the role expects another external id', externalIdChanged, 'AccessDenied', /trust policy/],
  ['the key is disabled', keyDisabled, 'KMSDisabledException', /must enable it/],
];

/** What was wrong with deliveries to the target, as the Lambdas have logged it. */
async function faultsSince(
  { stack }: Scene,
  { tenantId, category }: TargetRef,
  since: number,
): Promise<string[]> {
  const lines = (await stack.log()).slice(since).split('\n');
  return lines
    .filter((line) => line.includes(`"tenantId":"${tenantId}"`) && line.includes(`"category":"${category}"`))
    .flatMap((line) => /"fault":\{[^}]*"code":"(\w+)"/.exec(line)?.[1] ?? []);
}

export function brokenStreams(scene: Scene): void {
  test.each(breaks)(
    'reports who must do what if %s, and gets everything after the repair',
    async (_name, breakIt, code, reason) => {
      const subject = await scene.newStream();
      const ref = refOf(subject);
      const unbroken = await scene.register.find(ref);
      const keys = newKeys(8);
      const before = await recordRounds(subject, keys, 2);
      await scene.arrived(subject, before);

      const repair = await breakIt(scene, subject);
      const first = await recordRounds(subject, keys, 1);
      const { fault } = await scene.register.reaches(ref, 'parked');
      expect(fault).toMatchObject({ actor: 'tenant', reason: expect.stringMatching(reason) });
      expect(fault?.code).toMatch(new RegExp(`^${code}`));
      const second = await recordRounds(subject, [...keys, ...newKeys(4)], 2);
      const waiting = idsOf(first).length + idsOf(second).length;
      // A batch that comes again on a busy machine may be counted twice.
      await scene.register.becomes(ref, `${waiting} parked`, ({ parkedCount }) => parkedCount >= waiting);
      await scene.neighbourIsWell();

      await repair();
      const third = await recordRounds(subject, keys, 3);
      // A stream that is made anew is read anew.
      const anew = scene.watch(await Arrivals.ofStream(scene.stack.file, subject.destination));
      const recorded = joined(before, first, second, third);
      await anew.include(joined(first, second, third));
      expectOrder({ ids: [...subject.arrivals.ids, ...anew.ids] }, recorded);
      const recovered = await countsAddUp(scene, ref, unbroken, recorded);

      // Nothing of the fault is left in any Lambda: the target stays as it is, but for a call that is slow by itself.
      const { length: since } = await scene.stack.log();
      const fourth = await recordRounds(subject, keys, 1);
      await anew.include(fourth);
      const { stateSince } = await countsAddUp(scene, ref, recovered, fourth);
      if (stateSince !== recovered.stateSince)
        expect(new Set(await faultsSince(scene, ref, since))).toEqual(new Set(['Slow']));
    },
  );
}
