import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { beginFault } from './faults.ts';
import { idsOf, joined, newKeys, recordRounds, type Recorded } from './recorded.ts';
import { LONG_MS, refOf, type Scene, streamNameOf } from './scene.ts';

const STALL_MS = 5_000;
/** Of each caller: enough for a batch of the exporter at any time. */
const KEYS = 25;
const CALLERS = 3;

export function recovery(scene: Scene): void {
  test(
    'a stream that throttled for a while becomes active again under constant load, with all events in order',
    async () => {
      const subject = await scene.newStream();
      let isOver = false;
      const flowing = async (): Promise<Recorded> => {
        const keys = newKeys(KEYS);
        let recorded: Recorded = new Map();
        while (!isOver) recorded = joined(recorded, await recordRounds(subject, keys, 1));
        return recorded;
      };
      const flows = Array.from({ length: CALLERS }, flowing);
      try {
        const resource = streamNameOf(subject.destination);
        const end = await beginFault(scene.stack.file, { service: 'kinesis', fault: 'throttle', resource });
        await scene.register.reaches(refOf(subject), 'degraded');
        await wait(STALL_MS);
        await end();
        await scene.register.reaches(refOf(subject), 'active');
      } finally {
        isOver = true;
      }
      const recorded = joined(...(await Promise.all(flows)));
      expect(idsOf(recorded).length).toBeGreaterThan(KEYS * CALLERS);
      await scene.arrived(subject, recorded);
    },
    LONG_MS,
  );
}
