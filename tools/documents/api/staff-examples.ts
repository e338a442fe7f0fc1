import { exampleAnswers, exampleParameters } from './examples.ts';
import { exampleExports } from './export-examples.ts';

const { tenantId, userId, deviceId, challengeId } = exampleParameters;

const tenant = {
  tenantId,
  name: 'Example Bank',
  state: 'active',
  furtherDevices: 'confirm',
  recoveryBy: 'two',
};

const recovery = {
  recoveryId: '4b0f6c1a-2d57-4e7a-9a55-0c6f1a7f3d10',
  state: 'requested',
  requestedBy: 'c1f2a7d4-90a1-4b3c-8d2e-5f6071829304',
  requestedAt: '2026-03-02T10:00:00.000Z',
  expiresAt: '2026-03-03T10:00:00.000Z',
};

const check = {
  checkId: challengeId,
  status: 'pending',
  delivery: 'sent',
  deviceIds: [deviceId],
  comparison: 'waiting',
  triesLeft: 3,
  isCaller: false,
  askedAt: '2026-03-02T10:00:00.000Z',
  expiresAt: '2026-03-02T10:03:00.000Z',
};

const [listed] = exampleExports.listed.exports;
const [refused] = exampleExports.refused.exports;

export const exampleStaff = {
  recoveryId: recovery.recoveryId,
  tenants: { member: { memberId: recovery.requestedBy, isOperator: false }, tenants: [tenant] },
  tenantDetails: {
    ...tenant,
    settings: { furtherDevices: 'confirm', recoveryBy: 'two', maxDevices: 5 },
    clients: [
      {
        clientId: '1example23456789',
        name: 'Online banking',
        scopes: ['credential:omi:devices:get'],
        hasKeys: false,
        hasCallback: true,
      },
    ],
  },
  user: {
    userId,
    tenant,
    account: 'Anna · …4711',
    devices: exampleAnswers.devices.devices,
    limits: [{ limit: 'perTenMinutes', counted: 1, allowed: 5 }],
    confirmations: [
      {
        challengeId,
        status: 'denied',
        reason: 'not_me',
        askedAt: '2026-03-02T09:58:00.000Z',
        endedAt: '2026-03-02T09:58:12.000Z',
        deviceIds: [deviceId],
      },
    ],
  },
  recovery,
  allowed: { ...recovery, state: 'allowed', agreedBy: 'e7d0a9b8-1234-4c5d-9e6f-a1b2c3d4e5f6' },
  check,
  isCaller: {
    ...check,
    status: 'confirmed',
    comparison: 'matches',
    triesLeft: 2,
    isCaller: true,
  },
  exports: { exports: [{ tenantId, ...refused }] },
  export: { tenantId, ...listed },
};
