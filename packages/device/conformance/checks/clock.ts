/** A device whose clock is wrong. */
import { must } from '../failure.ts';
import type { Check } from '../scene.ts';

const minuteMs = 60_000;
/** More messages than this to one command are a loop. */
const mostMessages = 8;

export const clockChecks: readonly Check[] = [
  {
    id: 'clock-slow',
    says: "signs by the service's time if the device's clock is an hour behind",
    run: async (scene) => {
      scene.service.leadMs = 60 * minuteMs;
      const device = await scene.enrol();
      await scene.challenges(device);
    },
  },
  {
    id: 'clock-fast',
    says: "signs by the service's time if the device's clock is ahead",
    run: async (scene) => {
      const { device, challenge } = await scene.asked();
      scene.service.leadMs = -10 * minuteMs;
      await scene.answer(device, challenge.challengeId, { decision: 'confirm' });
    },
  },
  {
    id: 'clock-loop',
    says: 'gives up if the service refuses the time that it named',
    run: async (scene) => {
      const device = await scene.enrol();
      scene.service.leadMs = 60 * minuteMs;
      scene.service.always('challenges', scene.service.skew());
      const command = { do: 'challenges', device: device.name };
      const arrived = await scene.during(async () => await scene.refusal(command, 'clock-skew'));
      must(arrived.length <= mostMessages, `${arrived.length} messages were sent.`);
    },
  },
];
