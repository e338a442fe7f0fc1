import {
  AssumeRoleCommand,
  type AssumeRoleCommandInput,
  GetCallerIdentityCommand,
  STSClient,
} from '@aws-sdk/client-sts';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { createSts } from '../../../../../tools/local/aws/stand-ins/sts/backend.ts';
import { createRoles, type Roles } from '../../../../../tools/local/aws/stand-ins/iam/roles.ts';
import { createSessions, type Sessions } from '../../../../../tools/local/aws/stand-ins/sts/sessions.ts';
import * as services from '../../../../../tools/local/aws/protocols/services.ts';
import { type Alone, clientOf, startAlone } from '../clients.ts';
import { trustPolicyOf } from '../../../../support/trust-policy.ts';

const exporter = 'arn:aws:iam::000000000000:role/omi-export-events';
const tenantRole = 'arn:aws:iam::111122223333:role/omi-events';
const externalId = 'f3a9c1d27b6e4a58';

let roles: Roles;
let sessions: Sessions;
let endpoint: Alone;

beforeEach(async () => {
  roles = createRoles();
  sessions = createSessions();
  sessions.bind('EXPORTER', exporter);
  endpoint = await startAlone(services.sts, createSts(roles, sessions));
  roles.put({ arn: tenantRole, trustPolicy: trustPolicyOf({ principal: exporter, externalId }) });
});
afterEach(async () => await endpoint.close());

const asking = (accessKeyId: string): STSClient => new STSClient(clientOf(endpoint.url, accessKeyId));

const assume = async (more: Partial<AssumeRoleCommandInput> = {}, as = 'EXPORTER') => {
  const input = { RoleArn: tenantRole, RoleSessionName: 'omi', ExternalId: externalId, ...more };
  return await asking(as).send(new AssumeRoleCommand(input));
};

test('a trusted caller with the external id gets credentials of the role, for an hour', async () => {
  const { Credentials, AssumedRoleUser } = await assume();
  expect(AssumedRoleUser?.Arn).toBe('arn:aws:sts::111122223333:assumed-role/omi-events/omi');
  expect(Credentials?.AccessKeyId).toMatch(/^ASIA[A-Z2-7]{16}$/);
  const left = Number(Credentials?.Expiration) - Date.now();
  expect(left / 1_000).toBeCloseTo(3_600, -1);
  const identity = await asking(String(Credentials?.AccessKeyId)).send(new GetCallerIdentityCommand({}));
  expect(identity).toMatchObject({ Account: '111122223333', Arn: AssumedRoleUser?.Arn });
});

test('any other key is a user of the local account', async () => {
  const identity = await asking('ANYBODY').send(new GetCallerIdentityCommand({}));
  expect(identity).toMatchObject({ Account: '000000000000', Arn: 'arn:aws:iam::000000000000:user/local' });
});

describe('access', () => {
  const message = `User: arn:aws:sts::000000000000:assumed-role/omi-export-events/local is not authorized to perform: sts:AssumeRole on resource: ${tenantRole}`;

  test.each([
    ['without the external id', { ExternalId: undefined }],
    ['with a wrong external id', { ExternalId: 'f3a9c1d27b6e4a59' }],
  ])('is denied %s', async (_name, more) => {
    await expect(assume(more as Partial<AssumeRoleCommandInput>)).rejects.toMatchObject({
      name: 'AccessDenied',
      message,
    });
  });

  test('is denied to a caller that the role does not trust', async () => {
    await expect(assume({}, 'ANYBODY')).rejects.toMatchObject({ name: 'AccessDenied' });
  });

  test('is denied if the trust policy requires another principal of the trusted account', async () => {
    const trustPolicy = trustPolicyOf({
      principal: 'arn:aws:iam::000000000000:root',
      principalArn: exporter,
    });
    roles.put({ arn: tenantRole, trustPolicy });
    await expect(assume()).resolves.toBeDefined();
    await expect(assume({}, 'ANYBODY')).rejects.toMatchObject({ name: 'AccessDenied' });
  });

  test('is denied after the tenant has deleted the role', async () => {
    roles.remove(tenantRole);
    await expect(assume()).rejects.toMatchObject({ name: 'AccessDenied', message });
  });
});

describe('the parameters of AssumeRole', () => {
  test.each([
    [
      'a session of more than an hour, by a role (role chaining)',
      { DurationSeconds: 3_601 },
      '1 hour session limit',
    ],
    ['a session of less than 15 minutes', { DurationSeconds: 899 }, 'durationSeconds'],
    ['no ARN of a role', { RoleArn: 'arn:aws:iam::111122223333:user/somebody' }, 'is invalid'],
    ['a session name with a space', { RoleSessionName: 'a b' }, 'roleSessionName'],
    ['an external id with a space', { ExternalId: 'a b' }, 'externalId'],
    ['a long session policy', { Policy: JSON.stringify('x'.repeat(2_048)) }, 'policy'],
  ])('are rejected: %s', async (_name, more, reason) => {
    roles.put({ arn: tenantRole, trustPolicy: trustPolicyOf({ principal: '*' }), maxSessionSeconds: 43_200 });
    await expect(assume(more)).rejects.toMatchObject({
      name: 'ValidationError',
      message: expect.stringContaining(reason) as unknown,
    });
  });

  test('are rejected with a session policy that is not JSON', async () => {
    await expect(assume({ Policy: '{' })).rejects.toMatchObject({ name: 'MalformedPolicyDocumentException' });
  });

  test('are rejected if they exceed what the role allows', async () => {
    roles.put({ arn: tenantRole, trustPolicy: trustPolicyOf({ principal: '000000000000' }) });
    await expect(assume({ DurationSeconds: 7_200 }, 'ANYBODY')).rejects.toThrow('MaxSessionDuration');
    roles.put({
      arn: tenantRole,
      trustPolicy: trustPolicyOf({ principal: '000000000000' }),
      maxSessionSeconds: 7_200,
    });
    await expect(assume({ DurationSeconds: 7_200 }, 'ANYBODY')).resolves.toBeDefined();
  });
});
