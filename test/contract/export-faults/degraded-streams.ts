import { expect, test } from '@jest/globals';
import { type Fault, withFault } from '../../../tools/local/client/local-stack.ts';
import type { SimulatedDevice } from '../../../client/device/simulated-device.ts';
import { enrolDevice, pushAndConfirm } from '../scenario.ts';
import { strikes } from './faults.ts';
import { newKeys, recordRounds, type Recorded } from './recorded.ts';
import { type Scene, streamNameOf, type Watched } from './scene.ts';

type StreamFault = Pick<Fault, 'fault' | 'ratio' | 'times'>;

const within = async (scene: Scene, subject: Watched, fault: StreamFault, work: () => Promise<void>) => {
  const resource = streamNameOf(subject.destination);
  await withFault(
    scene.stack.file,
    { service: 'kinesis', operation: 'PutRecords', resource, ...fault },
    work,
  );
};

/** Of a confirmation, what the service itself records. */
const confirmed = [
  'UserDeviceRegisteredEvent',
  'PushNotificationSentEvent',
  'PushNotificationConfirmedEvent',
];

async function confirm({ stack: { website } }: Scene): Promise<string[]> {
  const device: SimulatedDevice = await enrolDevice(website);
  const { challengeId } = await pushAndConfirm(website, device);
  return [device.identity.deviceId, challengeId];
}

async function confirmationArrives({ arrivals }: Watched, aggregates: string[]): Promise<void> {
  await arrivals.until('what the service recorded itself', (events) => {
    const own = events.filter(({ metadata }) => aggregates.includes(metadata.aggregateId ?? ''));
    const types = new Set(own.map(({ metadata }) => metadata.type));
    return confirmed.every((type) => types.has(type));
  });
  const ofChallenge = arrivals.events.filter(({ metadata }) => metadata.aggregateId === aggregates[1]);
  expect([...new Set(ofChallenge.map(({ metadata }) => metadata.type))]).toEqual(confirmed.slice(1));
}

/** With a fault that lets something through, everything arrives while it lasts. */
const lasting: [string, StreamFault][] = [
  ['takes half of the records of a call', { fault: 'partial', ratio: 0.5 }],
  ['throttles two calls in three', { fault: 'throttle', ratio: 2 / 3 }],
];

export function degradedStreams(scene: Scene): void {
  test.each(lasting)('gets everything, in order, if it %s', async (_name, fault) => {
    const subject = await scene.newStream();
    await within(scene, subject, fault, async () => {
      const [recorded, aggregates] = await Promise.all([
        recordRounds(subject, newKeys(12), 6),
        confirm(scene),
        scene.neighbourIsWell(),
      ]);
      await scene.arrived(subject, recorded);
      await confirmationArrives(subject, aggregates);
      expect(await strikes(scene.stack.file)).toBeGreaterThan(0);
    });
    await scene.isWell(subject);
  });

  test('requires nobody to act if it throttles everything, and gets all events in order afterwards', async () => {
    const subject = await scene.newStream();
    let recorded: Recorded = new Map();
    await within(scene, subject, { fault: 'throttle' }, async () => {
      recorded = await recordRounds(subject, newKeys(12), 4);
      const { fault } = await scene.register.reaches(subject, 'degraded');
      expect(fault).toMatchObject({ actor: 'nobody', code: 'ProvisionedThroughputExceededException' });
      await scene.neighbourIsWell();
    });
    await scene.arrived(subject, recorded);
    await scene.isWell(subject);
  });

  test('gets records twice if it accepts them without answering, and loses or reorders nothing', async () => {
    const subject = await scene.newStream();
    await within(scene, subject, { fault: 'timeout-after', times: 2 }, async () => {
      const [recorded] = await Promise.all([recordRounds(subject, newKeys(12), 6), scene.neighbourIsWell()]);
      await scene.arrived(subject, recorded);
      // What was not answered may have been all that there is: nothing else tells that it is sent again.
      await subject.arrivals.until('the second time', () => subject.arrivals.duplicates > 0);
      await scene.isWell(subject);
      await scene.arrived(subject, recorded);
    });
  });
}
