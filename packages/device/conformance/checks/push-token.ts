/** Where pushes reach the device. */
import { must, mustEqual } from '../failure.ts';
import type { Check } from '../scene.ts';
import { problem } from '../service/replies.ts';

export const pushTokenChecks: readonly Check[] = [
  {
    id: 'push-token',
    says: 'sends a new push token',
    run: async (scene) => {
      scene.needs('push-token');
      const { name } = await scene.enrol();
      const pushToken = 'token-of-the-conformance-suite';
      const arrived = await scene.during(
        async () => await scene.result({ do: 'refresh', device: name, pushToken }),
      );
      mustEqual(arrived.at(-1)?.message?.claims['pushToken'], pushToken, 'pushToken');
    },
  },
  {
    id: 'push-token-stale',
    says: 'signs a push token again, with a later time, if the service has a newer message',
    run: async (scene) => {
      scene.needs('push-token');
      const { name } = await scene.enrol();
      scene.service.next('push-token', problem(409, 'stale-request'));
      const command = { do: 'refresh', device: name, pushToken: 'another-token' };
      const arrived = await scene.during(async () => await scene.result(command));
      const [first = 0, second = 0] = arrived.map(({ message }) => Number(message?.claims['iat']));
      must(second > first, 'iat did not grow.');
    },
  },
];
