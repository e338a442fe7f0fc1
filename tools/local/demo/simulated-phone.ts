import { type Challenge, type Device, readContext, scan } from '#device';
import { newPushToken } from '../../../client/device/simulated-device.ts';
import { ClientError } from '../../../client/http.ts';
import { enrolPhone } from '../client/phone.ts';
import type { Asked, DemoDevice } from './context.ts';

export function simulatedPhone(): DemoDevice {
  const pushToken = newPushToken();
  let phone: Device | undefined;
  const challenges = new Map<string, Challenge>();

  const enrolled = (): Device => {
    if (phone === undefined) throw new ClientError('The phone is not enrolled');
    return phone;
  };
  const challengeOf = ({ challengeId }: Asked): Challenge => {
    const challenge = challenges.get(challengeId);
    if (challenge === undefined) throw new ClientError('The phone did not get the challenge');
    return challenge;
  };

  return {
    title: 'the phone',
    enrolling: 'scans the QR code, creates a key pair and enrols',
    pushToken,
    enrol: async (qr, print) => {
      phone = await enrolPhone(scan(qr), { name: 'Demo phone', pushToken });
      print(`device ${phone.identity.deviceId} of tenant ${phone.identity.tenantId}`);
    },
    show: async (asked, print) => {
      for (const challenge of await enrolled().challenges()) challenges.set(challenge.challengeId, challenge);
      const { message, context, expiresInMs } = challengeOf(asked);
      print(`"${message}", ${Math.round(expiresInMs / 1000)} s left`);
      const { requester, requestedFrom = {} } = readContext(context);
      print(
        `asked by ${requester?.tenant ?? 'somebody'}, started from ${Object.values(requestedFrom).join(', ')}`,
      );
    },
    answer: async (asked, decision, print) => {
      const { status } = await enrolled().answer(
        challengeOf(asked),
        decision === 'confirm' ? { decision } : { decision, reason: 'user_declined' },
      );
      print(`status ${status}`);
    },
    close: async () => await Promise.resolve(),
  };
}
