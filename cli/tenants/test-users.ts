import { Option } from 'commander';
import { EnrolmentStore } from '../../core/enrolment/enrolment-store.ts';
import { codeLifetimeMs, enrolmentIdOf, newCode, qrContent } from '../../core/enrolment/enrolment.ts';
import { testIntents, testUserId, type TestIntent } from '../../core/kernel/test-users.ts';
import { mostDevices } from '../../core/tenants/tenant.ts';
import { SimulatedDevice } from '../../client/device/simulated-device.ts';
import { bodyOf } from '../../client/http.ts';
import { CommandError } from '../command-error.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { deviceStoreOf, removeByOperator } from '../devices/remove-by-operator.ts';
import type { Profile } from './profile-store.ts';

export type ProductionOption = { yesInProduction?: true };

export const productionOption = (): Option =>
  new Option('--yes-in-production', 'allow test users in the stage production');

/** Everybody who can ask may then get a confirmation of a user who is nobody. Verifiers refuse it unless they want it. */
export function requireConsent(
  { stage }: Pick<Deployment, 'stage'>,
  { testUsers, yesInProduction }: ProductionOption & { testUsers?: 'on' | 'off' },
): void {
  if (stage !== 'production' || testUsers !== 'on' || yesInProduction) return;
  throw new CommandError(
    'Test users confirm by themselves, and this is the stage production.',
    'If you want them there, repeat the command with --yes-in-production.',
  );
}

const devicesOf = (intent: TestIntent): number => {
  if (intent === 'has-no-device') return 0;
  return intent === 'has-two-devices' ? 2 : 1;
};

/** Gives the test users their devices, or takes them away. Repeated, it does the rest. */
export async function arrangeTestUsers(deployment: Deployment, profile: Profile): Promise<void> {
  const isOn = profile.settings.testUsers === 'on';
  for (const intent of testIntents) {
    const user = { tenantId: profile.tenantId, userId: testUserId(intent) };
    const { devices } = await deviceStoreOf(deployment).loadUser(user);
    const own = devices.filter(({ testKey }) => testKey !== undefined);
    // One whose key was not kept, after an interruption, answers nothing.
    const superfluous = isOn ? devices.filter((device) => !own.includes(device)) : devices;
    for (const { deviceId } of superfluous) await removeByOperator(deployment, { ...user, deviceId }, 'free');
    for (let count = own.length; isOn && count < devicesOf(intent); count += 1)
      await enrol(deployment, profile, user.userId, `Test device ${count + 1}`);
  }
}

/** By the API, so that the service itself vouches for the key: as that of a test user. */
async function enrol(deployment: Deployment, profile: Profile, userId: string, name: string): Promise<void> {
  const { clients, tables, baseUrl } = deployment;
  const { tenantId } = profile;
  const code = newCode();
  await new EnrolmentStore(clients.dynamodb, tables.enrolments).create({
    enrolmentId: enrolmentIdOf(code),
    ...{ tenantId, userId, tenantName: profile.name, clientId: 'omi-test', maxDevices: mostDevices },
    authorization: { by: 'recovery' },
    expiresAt: Date.now() + codeLifetimeMs,
  });
  const device = new SimulatedDevice({ name });
  const claims = { platform: 'web', pushToken: undefined };
  const { deviceId } = bodyOf(await device.enrol(qrContent('https://omi.test', baseUrl, code), { claims }));
  const { d = '' } = device.keys.privateKey.export({ format: 'jwk' });
  await deviceStoreOf(deployment).setTestKey({ tenantId, userId, deviceId }, d);
}
