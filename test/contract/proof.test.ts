/**
 * One payment, years later: from what the website kept, a day of the tenant's exported events and the service's published keys
 * alone, `omi audit` and the Python reader prove it, and find every change.
 */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { SimulatedDevice } from '../../client/device/simulated-device.ts';
import { WebsiteClient } from '../../client/website-client.ts';
import type { SoftwareAuthenticator } from '../../client/device/software-authenticator.ts';
import { jsonOn } from '../cli/omi.ts';
import { hasPython } from '../docs/tenants/programs.ts';
import {
  auditByCommand,
  PythonAuditor,
  type Auditor,
  type ExportedEvent,
  type PaymentFiles,
} from '../packages/evidence/payment-files.ts';
import { eventTamperings, tamperings, type Others } from '../packages/evidence/tamperings.ts';
import { keysOf } from '../support/service-keys.ts';
import { useSharedStack } from '../support/use-stack.ts';
import { succeeded } from './expectations.ts';
import { openChallenge, poll, push } from './scenario.ts';
import { enrolWithPasskey } from './user-verification/scene.ts';

type Json = Record<string, unknown>;

const stack = useSharedStack();
const message = 'Pay 16.00 € to Café Zoë?';
const details = [{ type: 'payment', amount: '16.00', currency: 'EUR', to: 'Café Zoë' }];
const requestedFrom = { browser: 'Firefox on Windows', place: 'Köln' };

let kept: PaymentFiles;
let others: Others;
let python: PythonAuditor | undefined;

/** The final confirmation, as the website keeps it. */
async function answered(
  device: SimulatedDevice,
  notification: object,
  authenticator?: SoftwareAuthenticator,
  website = stack.website,
): Promise<Json> {
  const { nonce } = await push(website, device, { message, ...notification });
  const challenge = await openChallenge(device);
  const claims = authenticator && { userVerification: authenticator.assert(challenge, 'confirm') };
  succeeded(await device.confirm(challenge, claims && { claims }), 200);
  return { ...(await poll(website, nonce)) };
}

/** A day of exported events, as objects of a bucket have them. */
async function exportedOn(
  day: string,
  { tenantId } = stack.file.tenants[0] as { tenantId: string },
): Promise<ExportedEvent[]> {
  const folder = await mkdtemp(join(tmpdir(), 'omi-proof-'));
  try {
    const out = join(folder, 'events.jsonl');
    await jsonOn(stack)('export', tenantId, 'public', '--day', day, '--out', out);
    const lines = (await readFile(out, 'utf8')).split('\n').filter((line) => line !== '');
    return lines.flatMap((line) => (JSON.parse(line) as { events: ExportedEvent[] }).events);
  } finally {
    await rm(folder, { recursive: true });
  }
}

beforeAll(async () => {
  const { device, authenticator } = await enrolWithPasskey(stack);
  const secondAnswer = await answered(device, {});
  const confirmation = await answered(
    device,
    { authorizationDetails: details, requestedFrom },
    authenticator,
  );
  const other = await enrolWithPasskey(stack);
  others = { confirmation: await answered(other.device, {}), secondAnswer };
  // After the payment, so it proves nothing against it.
  succeeded(await device.remove(), 204);
  const keys = (await keysOf(stack.file.baseUrl)) as unknown as PaymentFiles['keys'];
  const events = await exportedOn(String(confirmation['decidedAt']).slice(0, 10));
  kept = { confirmation, message, details: JSON.stringify(details), keys, events };
  if (hasPython) python = new PythonAuditor();
});
afterAll(async () => {
  await python?.stop();
});

const auditors: [string, Auditor, typeof test | typeof test.skip][] = [
  ['omi audit', auditByCommand, test],
  [
    'omi.evidence in Python',
    async (...given) => await (python?.audit ?? auditByCommand)(...given),
    hasPython ? test : test.skip,
  ],
];

describe.each(auditors)('auditing with %s', (_, audit, its) => {
  its('proves the payment: who confirmed what, when and on which device', async () => {
    const { baseUrl, tenants } = stack.file;
    const { code, verdict } = await audit(kept, ['--base-url', baseUrl]);
    expect(verdict).toMatchObject({ proved: true });
    expect(code).toBe(0);
    const { userId, deviceId } = kept.confirmation;
    const [{ tenantId, clientId }] = tenants;
    expect(verdict.statement).toMatchObject({
      ...{ tenantId, userId, decision: 'confirm', message, details: kept.details, userVerified: true },
      context: { requestedFrom },
      device: { deviceId, enrolledBy: 'first', client: clientId },
    });
  });

  its("needs no events unless the device's removal is in question", async () => {
    const { events: _events, ...files } = kept;
    expect((await audit(files)).verdict).toMatchObject({ proved: true });
  });

  its.each([...tamperings, ...eventTamperings].map((one) => [one.name, one] as const))(
    'finds %s',
    async (__, { change, codes }) => {
      const files = structuredClone(kept);
      change(files, structuredClone(others));
      const { code, verdict } = await audit(files);
      expect(verdict).toMatchObject({ proved: false });
      expect(codes).toContain(verdict.failure?.code);
      expect(code).toBe(1);
    },
  );
});

test('exported events prove an answer alone with evidenceInEvents, and any change to the event is detected', async () => {
  const json = jsonOn(stack);
  const tenant = await json<{ tenantId: string }>(
    ...['tenant', 'create', '--name', 'Bank with evidence', '--evidence-in-events', 'on'],
  );
  const client = await json<{ clientId: string; clientSecret: string }>(
    ...['client', 'create', tenant.tenantId, '--name', 'payments', '--scope', 'all'],
  );
  const website = new WebsiteClient({ ...stack.file, ...client });
  const { device, authenticator } = await enrolWithPasskey(stack, { website });
  const { decidedAt, nonce } = await answered(device, {}, authenticator, website);
  const events = await exportedOn(String(decidedAt).slice(0, 10), tenant);
  const event = events.find(({ metadata }) => metadata.type === 'PushNotificationConfirmedEvent');
  const { keys } = kept;
  const files = { confirmation: structuredClone(event) as unknown as Json, message, keys, events };
  const byNonce = ['--nonce', String(nonce)];
  const audits = [auditByCommand, ...(python ? [python.audit] : [])];
  for (const audit of audits) {
    const { verdict } = await audit(files, byNonce);
    expect(verdict).toMatchObject({
      proved: true,
      statement: { tenantId: tenant.tenantId, userVerified: true },
    });
    for (const member of ['evidence', 'context', 'receipt', 'deviceKey', 'userId', 'deviceId']) {
      const payload = { ...event?.payload, [member]: kept.confirmation[member] };
      const confirmation = { ...event, payload } as unknown as Json;
      expect((await audit({ ...files, confirmation }, byNonce)).verdict.proved).toBe(false);
    }
  }
});
