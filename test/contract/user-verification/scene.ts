/** Devices with passkeys, and tenants that want them. */
import { scan } from '#device';
import { SimulatedDevice } from '../../../client/device/simulated-device.ts';
import {
  SoftwareAuthenticator,
  type AuthenticatorDeviation,
  type AuthenticatorOptions,
  type PasskeyClaim,
} from '../../../client/device/software-authenticator.ts';
import { WebsiteClient } from '../../../client/website-client.ts';
import type { UserVerificationMode } from '../../../core/tenants/tenant.ts';
import { jsonOn } from '../../cli/omi.ts';
import type { TestStack } from '../../support/stack.ts';
import { succeeded } from '../expectations.ts';
import { newUser, openChallenge, push, startEnrolment } from '../scenario.ts';

/** An authenticator behind the stack's web app. */
export const authenticatorOf = (
  { file }: TestStack,
  options: Partial<AuthenticatorOptions> = {},
): SoftwareAuthenticator => new SoftwareAuthenticator({ rpId: 'localhost', origin: file.appUrl, ...options });

type Options = Partial<AuthenticatorOptions> & { website?: WebsiteClient };

export type Verifiable = { device: SimulatedDevice; authenticator: SoftwareAuthenticator };

/** Enrols a device with a passkey, which `change` alters. */
export async function tryToEnrol(
  website: WebsiteClient,
  authenticator: SoftwareAuthenticator,
  deviation: AuthenticatorDeviation = {},
  change: (passkey: PasskeyClaim) => unknown = (passkey) => passkey,
) {
  const device = new SimulatedDevice();
  const { qr } = await startEnrolment(website, newUser());
  const passkey = change(authenticator.create(scan(qr).code, deviation));
  return { device, qr, answer: await device.enrol(qr, { claims: { passkey } }) };
}

export async function enrolWithPasskey(
  stack: TestStack,
  { website = stack.website, ...options }: Options = {},
): Promise<Verifiable> {
  const authenticator = authenticatorOf(stack, options);
  const { device, answer } = await tryToEnrol(website, authenticator);
  succeeded(answer, 201);
  return { device, authenticator };
}

/** A device with a passkey and one open challenge. */
export async function challengedWithPasskey(
  stack: TestStack,
  { website = stack.website, ...options }: Options = {},
) {
  const enrolled = await enrolWithPasskey(stack, { website, ...options });
  const sent = await push(website, enrolled.device);
  return { ...enrolled, sent, challenge: await openChallenge(enrolled.device) };
}

export type Bank = { tenantId: string; website: WebsiteClient };

/** A tenant with a mode of user verification, as the operator makes it. */
export async function openBank(stack: TestStack, mode: UserVerificationMode): Promise<Bank> {
  const json = jsonOn(stack);
  const { tenantId } = await json<{ tenantId: string }>(
    ...['tenant', 'create', '--name', 'Bank with passkeys', '--user-verification', mode],
  );
  const made = await json<{ clientId: string; clientSecret: string }>(
    ...['client', 'create', '--tenant', tenantId, '--name', 'payments', '--scope', 'all'],
  );
  return { tenantId, website: new WebsiteClient({ ...stack.file, ...made }) };
}
