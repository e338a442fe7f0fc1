/** Enrolment: refusals, and answers that are lost or malformed. */
import type { JsonWebKey } from 'node:crypto';
import { must } from '../failure.ts';
import type { Check, Scene } from '../scene.ts';
import { thumbprintOf } from '../service/message.ts';
import { json, lost, problem } from '../service/replies.ts';

const refusals: readonly (readonly [number, string])[] = [
  [404, 'enrolment-not-found'],
  [409, 'enrolment-code-used'],
  [410, 'enrolment-code-expired'],
  [403, 'confirmation-required'],
  [409, 'too-many-devices'],
];

const malformed: readonly object[] = [
  {},
  { deviceId: 7, tenantId: 't', userId: 'u', tenant: 'Bank' },
  { deviceId: 'd', tenantId: 't', tenant: 'Bank' },
];

const enrolling = (scene: Scene) => ({ do: 'enrol', device: scene.newName(), link: scene.service.link() });

export const enrolmentChecks: readonly Check[] = [
  {
    id: 'enrolment-refused',
    says: "reports the service's refusals of an enrolment by their codes",
    run: async (scene) => {
      for (const [status, code] of refusals) {
        scene.service.always('enrol', problem(status, code));
        await scene.refusal(enrolling(scene), code);
        scene.service.behave();
      }
    },
  },
  {
    id: 'enrolment-malformed',
    says: 'does not enrol if the answer lacks what the device must keep',
    run: async (scene) => {
      for (const body of malformed) {
        scene.service.always('enrol', json(201, body));
        await scene.refusal(enrolling(scene));
        scene.service.behave();
      }
    },
  },
  {
    id: 'enrolment-repeated',
    says: 'enrols with the same key after the answer was lost',
    run: async (scene) => {
      scene.service.next('enrol', lost);
      const command = enrolling(scene);
      const arrived = await scene.during(async () => {
        const first = await scene.outcome(command);
        if ('error' in first) await scene.result(command);
      });
      const keys = arrived
        .filter(({ call }) => call === 'enrol')
        .map(({ message }) => thumbprintOf((message?.header['jwk'] ?? {}) as JsonWebKey));
      must(keys.length >= 2 && new Set(keys).size === 1, 'The enrolment was repeated with another key.');
    },
  },
];
