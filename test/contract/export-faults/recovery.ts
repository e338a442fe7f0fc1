import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { beginFault } from './faults.ts';
import { idsOf, joined, newKeys, recordRounds, type Recorded } from './recorded.ts';
import { refOf, type Scene, streamNameOf } from './scene.ts';

const stallMs = 5_000;
/** Of each caller: enough for a batch of the exporter at any time. */
const keyCount = 25;
const callers = 3;
/** So that all of them stay below the 1,000 events that a tenant may record in a second. */
const pauseMs = 100;

export function recovery(scene: Scene): void {
  test('a stream that throttled for a while becomes active again under constant load, with all events in order', async () => {
    const subject = await scene.newStream();
    let isOver = false;
    const flowing = async (): Promise<Recorded> => {
      const keys = newKeys(keyCount);
      let recorded: Recorded = new Map();
      while (!isOver) {
        recorded = joined(recorded, await recordRounds(subject, keys, 1));
        await wait(pauseMs);
      }
      return recorded;
    };
    const flows = Array.from({ length: callers }, flowing);
    try {
      const resource = streamNameOf(subject.destination);
      const end = await beginFault(scene.stack.file, { service: 'kinesis', fault: 'throttle', resource });
      await scene.register.reaches(refOf(subject), 'degraded');
      await wait(stallMs);
      await end();
      await scene.register.reaches(refOf(subject), 'active');
    } finally {
      isOver = true;
    }
    const recorded = joined(...(await Promise.all(flows)));
    expect(idsOf(recorded).length).toBeGreaterThan(keyCount * callers);
    await scene.arrived(subject, recorded);
  });
}
