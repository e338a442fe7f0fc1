import { readContext } from '#device';
import type { Challenge } from '../../../client/contract.ts';
import { SimulatedDevice } from '../../../client/device/simulated-device.ts';
import { messageHashOf } from '../../../client/digests.ts';
import { bodyOf, ClientError } from '../../../client/http.ts';
import type { Asked, DemoDevice } from './device.ts';

export function simulatedPhone(): DemoDevice {
  const phone = new SimulatedDevice({ name: 'Demo phone' });
  const challenges = new Map<string, Challenge>();

  const challengeOf = ({ challengeId }: Asked): Challenge => {
    const challenge = challenges.get(challengeId);
    if (challenge === undefined) throw new ClientError('The phone did not get the challenge');
    return challenge;
  };

  return {
    title: 'the phone',
    enrolling: 'scans the QR code, creates a key pair and enrols',
    pushToken: phone.description.pushToken,
    enrol: async (qr, print) => {
      const { deviceId, tenantId } = bodyOf(await phone.enrol(qr));
      print(`device ${deviceId} of tenant ${tenantId}`);
    },
    show: async (asked, print) => {
      for (const challenge of bodyOf(await phone.challenges()).challenges)
        challenges.set(challenge.challengeId, challenge);
      const { message, messageHash, details, detailsHash, context, contextHash, expiresInMs } =
        challengeOf(asked);
      if (messageHash !== messageHashOf(message))
        throw new ClientError('The message hash does not match the message');
      if ((details === undefined ? undefined : messageHashOf(details)) !== detailsHash)
        throw new ClientError('The hash of the details does not match them');
      if (messageHashOf(context) !== contextHash)
        throw new ClientError('The hash of the context does not match it');
      print(`"${message}", ${Math.round(expiresInMs / 1000)} s left`);
      const { requester, requestedFrom = {} } = readContext(context);
      print(
        `asked by ${requester?.tenant ?? 'somebody'}, started from ${Object.values(requestedFrom).join(', ')}`,
      );
    },
    answer: async (asked, decision, print) => {
      const challenge = challengeOf(asked);
      const sent =
        decision === 'confirm'
          ? await phone.confirm(challenge)
          : await phone.deny(challenge, 'user_declined');
      print(`status ${bodyOf(sent).status}`);
    },
    close: async () => await Promise.resolve(),
  };
}
