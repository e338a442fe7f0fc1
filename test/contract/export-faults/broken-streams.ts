import { expect, test } from '@jest/globals';
import type { TargetRef } from '../../../core/events/target-ref.ts';
import { Arrivals, expectOrder } from './arrivals.ts';
import { countsAddUp } from './counts.ts';
import { idsOf, joined, newKeys, recordRounds } from './recorded.ts';
import { refOf, type Scene } from './scene.ts';

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
  test('reports who must do what if the role lacks write permission, and gets everything after the repair', async () => {
    const subject = await scene.newStream();
    const ref = refOf(subject);
    const unbroken = await scene.register.find(ref);
    const keys = newKeys(8);
    const before = await recordRounds(subject, keys, 2);
    await scene.arrived(subject, before);

    await scene.account.denyWriting(subject.destination);
    const first = await recordRounds(subject, keys, 1);
    const { fault } = await scene.register.reaches(ref, 'parked');
    expect(fault).toMatchObject({
      actor: 'tenant',
      code: expect.stringMatching(/^AccessDenied/),
      reason: expect.stringMatching(/allow the role kinesis:PutRecords/),
    });
    const second = await recordRounds(subject, [...keys, ...newKeys(4)], 2);
    const waiting = idsOf(first).length + idsOf(second).length;
    // A batch that comes again on a busy machine may be counted twice.
    await scene.register.becomes(ref, `${waiting} parked`, ({ parkedCount }) => parkedCount >= waiting);
    await scene.neighbourIsWell();

    await scene.account.restorePermissions(subject.destination);
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
  });
}
