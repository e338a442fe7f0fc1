/** The audit of files: `omi audit` and the Python reader, on a payment of the published vectors. */
import { afterAll, describe, expect, test } from '@jest/globals';
import { evidenceFile, vectorNamed } from './evidence-vectors.ts';
import { hasPython } from '../../docs/tenants/programs.ts';
import {
  auditByCommand,
  PythonAuditor,
  type Auditor,
  type ExportedEvent,
  type PaymentFiles,
} from './payment-files.ts';
import { eventTamperings, tamperings, type Others } from './tamperings.ts';

type Json = Record<string, unknown>;

const { asked, confirmation } = vectorNamed('a confirmation with details, of a verified user');
const { keys, baseUrl } = evidenceFile;
const record = confirmation as unknown as Json;
const { tenantId, userId, deviceId } = confirmation;

const eventAt = (type: string, occurredTime: string, payload: Json): ExportedEvent => ({
  metadata: { category: 'public', eventId: 'e', metadataVersion: '1.0', tenantId, type, occurredTime },
  payload: { deviceId, userId, ...payload },
});

const claimsOf = (jws: unknown): Json =>
  JSON.parse(Buffer.from(String(jws).split('.')[1] ?? '', 'base64url').toString()) as Json;
const timeOf = (seconds: unknown): string => new Date(Number(seconds) * 1000).toISOString();

function eventsOf({ challengeId, messageHash, detailsHash, decidedAt, ...kept }: Json): ExportedEvent[] {
  const receipt = claimsOf(kept['receipt']);
  const { evidence, context, deviceKey, passkeyKey } = kept;
  const hashes = { challengeId, messageHash, detailsHash };
  return [
    eventAt('UserDeviceRegisteredEvent', timeOf(receipt['iat']), {
      ...{ clientId: receipt['client'], platform: 'web', jkt: receipt['jkt'], receipt: kept['receipt'] },
    }),
    eventAt('PushNotificationSentEvent', String(kept['createdAt']), { ...hashes, clientId: 'shop' }),
    eventAt('PushNotificationConfirmedEvent', String(decidedAt), {
      ...{
        ...hashes,
        userVerified: true,
        evidence,
        context,
        receipt: kept['receipt'],
        deviceKey,
        passkeyKey,
      },
    }),
    // Neither is this user's device at this tenant.
    eventAt('UserDeviceDeregisteredEvent', '2026-01-01T00:00:00Z', { deviceId: 'another' }),
    {
      ...eventAt('UserDeviceDeregisteredEvent', '2026-01-01T00:00:00Z', {}),
      metadata: { ...eventAt('', '', {}).metadata, tenantId: 'another', type: 'UserDeviceDeregisteredEvent' },
    },
    // After the payment, so it proves nothing against it.
    eventAt('UserDeviceDeregisteredEvent', '2026-04-01T00:00:00Z', { jkt: receipt['jkt'] }),
  ];
}

const payment = (): PaymentFiles =>
  structuredClone({
    confirmation: record,
    message: asked.message,
    details: JSON.stringify(asked.details),
    keys: keys as unknown as PaymentFiles['keys'],
    events: eventsOf(record),
  });

const other = vectorNamed("another device's receipt").confirmation;
const others: Others = {
  confirmation: {
    ...other,
    ...{
      userId: 'bert@shop',
      deviceId: 'another',
      deviceKey: vectorNamed('another key').confirmation.deviceKey,
    },
  },
  secondAnswer: { ...vectorNamed('the answer to another question').confirmation },
};

const python = hasPython ? new PythonAuditor() : undefined;
afterAll(async () => {
  await python?.stop();
});

const auditors: { name: string; audit: Auditor; missing?: boolean }[] = [
  { name: 'omi audit', audit: auditByCommand },
  { name: 'omi.evidence in Python', audit: python?.audit ?? auditByCommand, missing: !python },
];

describe.each(auditors)('$name', ({ audit, missing }) => {
  const its = missing ? test.skip : test;

  its('proves who confirmed what, when and on which device', async () => {
    const { code, verdict } = await audit(payment());
    expect(verdict).toMatchObject({ proved: true });
    expect(code).toBe(0);
    const checks = verdict.steps.map((step) => (typeof step === 'string' ? step : step.check));
    expect(checks).toEqual(['signature', 'question', 'context', 'receipt', 'passkey', 'record', 'events']);
    const { jkt, iat, client } = claimsOf(record['receipt']);
    expect(verdict.statement).toEqual({
      ...{ tenantId, userId, decision: 'confirm', message: asked.message },
      details: JSON.stringify(asked.details),
      answeredAt: record['decidedAt'],
      userVerified: true,
      context: JSON.parse(String(record['context'])) as unknown,
      device: { deviceId, jkt, platform: 'web', enrolledAt: timeOf(iat), enrolledBy: 'first', client },
    });
  });

  its('proves it with the exported event alone, and with the body of a callback', async () => {
    const { confirmation: _, events = [], ...files } = payment();
    const [, , event] = events;
    const { nonce, ...data } = record;
    for (const kept of [event, { type: 'confirmation.confirmed', timestamp: '2026-03-02T10:00:09Z', data }]) {
      const confirmation = kept as unknown as Json;
      const asFile = { ...files, confirmation };
      expect((await audit(asFile, ['--nonce', String(nonce)])).verdict).toMatchObject({ proved: true });
      const { verdict } = await audit(asFile, ['--nonce', 'another-nonce-0123456789']);
      expect(verdict.failure?.code).toBe('challengeId');
    }
  });

  its('accepts details as they were sent, and with other spaces', async () => {
    const details = JSON.stringify(asked.details, null, 2);
    expect((await audit({ ...payment(), details: `${details}\n` })).verdict.proved).toBe(true);
  });

  its('needs the base URLs if the files name several', async () => {
    const { confirmation: moved, asked: before } = vectorNamed('a receipt of a former base URL');
    const files = { confirmation: moved as unknown as Json, message: before.message, keys: payment().keys };
    expect((await audit(files)).verdict.failure?.code).toBe('base-url');
    const former = 'https://former.example.org';
    expect((await audit(files, ['--base-url', baseUrl, former])).verdict.proved).toBe(true);
    expect((await audit(files, ['--base-url', baseUrl])).verdict.failure?.code).toBe('receipt-iss');
  });

  its('accepts test users only if told so', async () => {
    const { confirmation: tested, asked: before } = vectorNamed('a user for tests');
    const files = { confirmation: tested as unknown as Json, message: before.message, keys: payment().keys };
    expect((await audit(files)).verdict.failure?.code).toBe('receipt-by');
    expect((await audit(files, ['--test-users'])).verdict.proved).toBe(true);
  });

  its('compares the reason of a denial', async () => {
    const { confirmation: denial, asked: before } = vectorNamed('a denial');
    const files = { confirmation: denial as unknown as Json, message: before.message, keys: payment().keys };
    expect((await audit(files)).verdict).toMatchObject({ proved: true, statement: { decision: 'deny' } });
    const { verdict } = await audit({ ...files, confirmation: { ...files.confirmation, reason: 'not_me' } });
    expect(verdict.failure?.code).toBe('reason');
  });

  its('reports that a file is something else', async () => {
    const { verdict } = await audit({ ...payment(), confirmation: { status: 'confirmed' } });
    expect(verdict.failure?.code).toBe('record');
  });

  its.each([...tamperings, ...eventTamperings].map((one) => [one.name, one] as const))(
    'finds %s',
    async (_, { change, codes }) => {
      const files = payment();
      change(files, others);
      const { code, verdict } = await audit(files);
      expect(verdict).toMatchObject({ proved: false, failure: { text: expect.any(String) } });
      expect(codes).toContain(verdict.failure?.code);
      expect(code).toBe(1);
    },
  );
});

test('both auditors report the same, in the same words', async () => {
  const files = { ...payment(), message: 'Pay?' };
  const { verdict } = await auditByCommand(files);
  expect(verdict.failure?.text).toBe('the user saw another message');
  if (python) expect((await python.audit(files)).verdict.failure).toEqual(verdict.failure);
});

test('at least twenty changes are found', () => {
  expect(tamperings.length + eventTamperings.length).toBeGreaterThanOrEqual(20);
});
