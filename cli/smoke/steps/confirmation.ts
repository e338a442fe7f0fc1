import { type AuthorizationDetail, type Confirmation, newNonce } from '#website';
import type { Challenge } from '../../../client/contract.ts';
import { SimulatedDevice } from '../../../client/device/simulated-device.ts';
import { messageHashOf } from '../../../client/digests.ts';
import { bodyOf } from '../../../client/http.ts';
import { eventually } from '../../../client/waiting.ts';
import { latestKey } from '../../../core/enrolment/enrolment-store.ts';
import { challengeIdOf } from '../../../core/kernel/identifiers.ts';
import { deleteItem } from '../../deployment/table-client.ts';
import { CommandError } from '../../command-error.ts';
import { isOf } from '../arrivals.ts';
import { deleteUser } from '../removal-client.ts';
import type { PushPlatform } from '../push-platform.ts';
import type { Scene } from '../scene.ts';
import type { StepDefinition, StepRun } from '../step-runner.ts';
import type { Export } from './destination.ts';
import type { Website } from './website.ts';

const oneSecond = 1_000;

export const phoneIsEnrolled: StepDefinition = {
  name: 'enrolment',
  title: 'A simulated phone enrols',
  limitSeconds: 90,
  hint: 'See the logs of the Lambdas start-enrolment and enrol-device. SNS must have the platform application.',
};

export const pushIsSent: StepDefinition = {
  name: 'push',
  title: 'The website asks the phone, with a push where the stage has credentials for one',
  limitSeconds: 60,
  hint: 'See the log of the Lambda send-to-device. If SNS rejects the push, check the push credentials.',
};

export const challengeIsRead: StepDefinition = {
  name: 'challenge',
  title: 'The phone reads the challenge, and signs a confirmation',
  limitSeconds: 60,
  hint: 'See the logs of the Lambdas list-challenges and answer-challenge.',
};

export const confirmationIsSeen: StepDefinition = {
  name: 'confirmation',
  title: 'The website polls until the confirmation is confirmed',
  limitSeconds: 60,
  hint: 'See the log of the Lambda get-confirmation.',
};

export const evidenceHolds: StepDefinition = {
  name: 'evidence',
  title: 'The evidence is valid, verified without the service',
  limitSeconds: 10,
  hint: 'Do not use this stage for confirmations: the stored answer is not what the phone signed.',
};

export const ownEventsArrive: StepDefinition = {
  name: 'own-events',
  title: "The service's own events of these steps arrive in the stream",
  limitSeconds: 180,
  hint: 'See the log of the Lambda export-events.',
};

export const phoneIsRemoved: StepDefinition = {
  name: 'removal',
  title: 'The website removes the phone',
  limitSeconds: 180,
  hint: 'See the log of the Lambda remove-device.',
};

/**
 * The random push token belongs to no phone. It has a form that SNS accepts for FCM and APNs. Without a platform the phone is a
 * browser that gets no pushes.
 */
export async function enrolPhone(
  scene: Scene,
  { omi }: Website,
  platform: PushPlatform | undefined,
  { say }: StepRun,
): Promise<SimulatedDevice> {
  const { deployment, undo, tenantId, userId } = scene;
  const phone = new SimulatedDevice({ name: 'omi smoke', platform: platform?.name ?? 'web' });
  const { pushToken } = phone.description;
  undo.add({
    what: `user ${userId} with the phone and its endpoint at SNS`,
    fix: `npx omi user erase ${tenantId} ${userId} --yes ${deployment.selector}`,
    remove: async () =>
      await deleteUser(deployment, { tenantId, userId }, platform && { platform, pushToken }),
  });
  const { enrolmentId, qr } = await omi.enrol({ userId });
  undoItem(scene, 'enrolments', enrolmentId);
  undoItem(scene, 'enrolments', latestKey({ tenantId, userId }).pk);
  const { deviceId } = bodyOf(await phone.enrol(qr, platform ? {} : { claims: { pushToken: undefined } }));
  const { status } = await omi.enrolment(enrolmentId);
  if (status !== 'completed') throw new CommandError(`The enrolment is ${status}, not completed`);
  say(`${phone.description.platform}, device ${deviceId}`);
  return phone;
}

function undoItem({ deployment, undo }: Scene, table: 'enrolments' | 'confirmations', pk: string): void {
  undo.add({
    what: `item of the table ${table}`,
    fix: 'It expires 24 hours after its end.',
    remove: async () => await deleteItem(deployment.clients.dynamodb, deployment.tables[table], { pk }),
  });
}

export type Asked = {
  nonce: string;
  message: string;
  details: AuthorizationDetail[];
  challengeId: string;
};

export async function sendPush(
  scene: Scene,
  { omi }: Website,
  { identity }: SimulatedDevice,
  platform: PushPlatform | undefined,
  { say }: StepRun,
): Promise<Asked> {
  const { tenantId, userId, runId } = scene;
  const nonce = newNonce();
  const message = `Smoke test ${runId} ✓`;
  const details = [{ type: 'omi-smoke-test', run: runId }];
  const challengeId = challengeIdOf(tenantId, nonce);
  undoItem(scene, 'confirmations', challengeId);
  const sent = await omi.send({ userId, deviceId: identity.deviceId, nonce, message, details });
  const expected = platform ? 'sent' : 'unreachable';
  say(`${sent.status}, ${platform ? `delivery ${sent.delivery}` : 'no push: the stage has no credentials'}`);
  if (sent.delivery !== expected) throw new CommandError(`The delivery is ${sent.delivery}, not ${expected}`);
  return { nonce, message, details, challengeId };
}

export async function confirm(
  phone: SimulatedDevice,
  {
    challengeId,
    message,
    details,
  }: Pick<Asked, 'challengeId' | 'message'> & { details?: AuthorizationDetail[] },
  { signal }: StepRun,
): Promise<Challenge> {
  const ask = async () => {
    const { challenges } = bodyOf(await phone.challenges());
    return challenges.find((open) => open.challengeId === challengeId);
  };
  const challenge = await eventually('The challenge', ask, {
    everyMs: oneSecond,
    atMostMs: 30 * oneSecond,
    signal,
  });
  if (challenge.message !== message || challenge.messageHash !== messageHashOf(message))
    throw new CommandError('The phone got another message than the one that was sent');
  if (challenge.details !== (details && JSON.stringify(details)))
    throw new CommandError('The phone got other details than those that were sent');
  bodyOf(await phone.confirm(challenge));
  return challenge;
}

export async function pollUntilConfirmed(
  { omi }: Website,
  { nonce }: Asked,
  { signal }: StepRun,
): Promise<Confirmation> {
  const ask = async () => {
    const confirmation = await omi.poll(nonce, { signal });
    return confirmation.status === 'pending' ? undefined : confirmation;
  };
  const decided = await eventually('A decision', ask, {
    everyMs: oneSecond,
    atMostMs: 45 * oneSecond,
    signal,
  });
  if (decided.status !== 'confirmed')
    throw new CommandError(`The confirmation is ${decided.status}, not confirmed`);
  return decided;
}

/** Compares with the phone's own key, not with the key that the service stores. */
export async function checkEvidence(
  { userId }: Scene,
  { omi }: Website,
  phone: SimulatedDevice,
  confirmation: Confirmation,
  { nonce, message, details }: Asked,
): Promise<void> {
  const { x, y } = phone.publicJwk;
  if (confirmation.deviceKey?.x !== x || confirmation.deviceKey?.y !== y)
    throw new CommandError("The evidence names another key than the phone's");
  const { deviceId } = phone.identity;
  await omi.verifyEvidence(confirmation, { userId, deviceId, message, details, nonce });
}

export async function awaitOwnEvents(
  { arrivals }: Export,
  { deviceId = '', challengeId }: Confirmation,
  { signal, say }: StepRun,
): Promise<void> {
  const expected = [
    isOf(deviceId, 'UserDeviceRegisteredEvent'),
    isOf(challengeId, 'PushNotificationSentEvent'),
    isOf(challengeId, 'PushNotificationConfirmedEvent'),
  ];
  await arrivals.all("The service's own events", expected, { signal });
  say(`${expected.length} events`);
}

/** Waits for the event in the stream, so that no event is in transit when the stream is deleted. */
export async function removePhone(
  { userId }: Scene,
  { omi }: Website,
  { identity }: SimulatedDevice,
  target: Export | undefined,
  { signal }: StepRun,
): Promise<void> {
  await omi.removeDevice(userId, identity.deviceId);
  const devices = await omi.devices(userId);
  if (devices.length > 0) throw new CommandError('The phone is still in the list of devices');
  const removed = isOf(identity.deviceId, 'UserDeviceDeregisteredEvent');
  await target?.arrivals.all("The event of the phone's removal", [removed], { signal });
}
