/** Keys that are gone: removed by the device, lost, or unknown to the service. */
import { must } from '../failure.ts';
import type { Check } from '../scene.ts';
import { problem } from '../service/replies.ts';

const mostMessages = 8;

export const keyChecks: readonly Check[] = [
  {
    id: 'key-deleted',
    says: 'deletes the key when the device is removed',
    run: async (scene) => {
      const { name } = await scene.enrol();
      await scene.result({ do: 'unregister', device: name });
      const arrived = await scene.during(async () => await scene.refusal({ do: 'challenges', device: name }));
      must(arrived.length === 0, 'The removed device has signed a message.');
    },
  },
  {
    id: 'removal-refused',
    says: 'keeps the key if the service refuses the removal',
    run: async (scene) => {
      const device = await scene.enrol();
      scene.service.always('unregister', problem(422, 'user-verification-required'));
      await scene.refusal({ do: 'unregister', device: device.name }, 'user-verification-required');
      scene.service.behave();
      await scene.challenges(device);
    },
  },
  {
    id: 'key-lost',
    says: 'says that a lost key is lost, and signs nothing by another one for the same device',
    run: async (scene) => {
      const { name } = await scene.enrol();
      await scene.result({ do: 'lose', device: name });
      const arrived = await scene.during(async () => await scene.refusal({ do: 'challenges', device: name }));
      must(arrived.length === 0, 'A message was signed without the key of the device.');
      await scene.enrol();
    },
  },
  {
    id: 'device-unknown',
    says: 'reports that the service no longer knows the device, without endless repetitions',
    run: async (scene) => {
      const { name } = await scene.enrol();
      scene.service.always('challenges', problem(401, 'invalid-signature'));
      const arrived = await scene.during(
        async () => await scene.refusal({ do: 'challenges', device: name }, 'invalid-signature'),
      );
      must(arrived.length <= mostMessages, `${arrived.length} messages were sent.`);
    },
  },
];
