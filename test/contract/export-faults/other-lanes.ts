import { expect, test } from '@jest/globals';
import { laneIndex } from '../../../core/export/targets/lanes.ts';
import { isDrained } from '../../../core/export/targets/target.ts';
import { withFault } from '../../../tools/local/client/local-stack.ts';
import { until } from '../../support/waiting.ts';
import { joined, newKeys, recordRounds, type Recorded } from './recorded.ts';
import { refOf, type Scene, streamNameOf, type Watched } from './scene.ts';

/** Aggregates of the subject's that share a lane, and some that share another. */
function keysOfLanes({ tenantId, destination: { lanes } }: Watched): [string[], string[]] {
  const byLane = Map.groupBy(newKeys(60), (key) => laneIndex(`${tenantId}#${key}`, lanes));
  return [(byLane.get(0) ?? []).slice(0, 4), (byLane.get(1) ?? []).slice(0, 4)];
}

/** Redeliveries of the subject's, as their Lambda has logged them. */
async function attempts({ stack }: Scene, { tenantId }: Watched, since: number): Promise<number> {
  const lines = (await stack.log()).slice(since).split('\n');
  return lines.filter((line) => line.includes('"redelivered"') && line.includes(tenantId)).length;
}

/** After some attempts, the next is seconds away. */
async function parkFor(scene: Scene, subject: Watched, keys: string[]): Promise<Recorded> {
  const resource = streamNameOf(subject.destination);
  return await withFault(scene.stack.file, { service: 'kinesis', fault: 'throttle', resource }, async () => {
    const { length: since } = await scene.stack.log();
    const parked = await recordRounds(subject, keys, 2);
    await until(async () => (await attempts(scene, subject, since)) >= 3, 'three attempts');
    return parked;
  });
}

export function otherLanes(scene: Scene): void {
  test('continue if nothing waits in them, and waiting lanes keep their order', async () => {
    const subject = await scene.newStream();
    const [waiting, flowing] = keysOfLanes(subject);
    let recorded: Recorded = new Map();
    let wentOn = false;
    // A machine that is busy enough may be late for what waits: then once more.
    for (let attempt = 1; attempt <= 3 && !wentOn; attempt += 1) {
      const parked = await parkFor(scene, subject, waiting);
      const behind = await recordRounds(subject, waiting, 2);
      const beside = await recordRounds(subject, flowing, 1);
      await subject.arrivals.include(beside);
      wentOn = !isDrained(await scene.register.find(refOf(subject)));
      recorded = joined(recorded, parked, behind, beside);
      await scene.neighbourIsWell();
      await scene.arrived(subject, recorded);
      await scene.isWell(subject);
    }
    expect(wentOn).toBe(true);
  });
}
