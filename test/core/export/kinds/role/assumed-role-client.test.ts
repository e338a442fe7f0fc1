import type { AssumeRoleCommandOutput } from '@aws-sdk/client-sts';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { AssumedRoleClient, stsClient } from '../../../../../core/export/kinds/role/assumed-role-client.ts';
import { sessionPolicy } from '../../../../../core/export/kinds/stream/stream-role.ts';
import { CredentialsUnavailable } from '../../../../../core/export/kinds/role/role-faults.ts';
import { createSts } from '../../../../../tools/local/aws/stand-ins/sts/backend.ts';
import { createRoles } from '../../../../../tools/local/aws/stand-ins/iam/roles.ts';
import { createSessions } from '../../../../../tools/local/aws/stand-ins/sts/sessions.ts';
import { parseForm } from '../../../../../tools/local/aws/protocols/query.ts';
import { sts as service } from '../../../../../tools/local/aws/protocols/sts.ts';
import { startAlone, type Alone } from '../../../../tools/local/aws/clients.ts';
import { trustPolicyOf } from '../../../../support/trust-policy.ts';

const minute = 60_000;
const role = {
  roleArn: 'arn:aws:iam::111122223333:role/omi-events',
  externalId: 'f3a9c1d27b6e4a58',
  resourceArn: 'arn:aws:kinesis:eu-west-1:111122223333:stream/events',
  sessionPolicy,
};

let sts: Alone;
let asked: Record<string, string | undefined>[];
let now: number;
let credentials: AssumedRoleClient;

beforeEach(async () => {
  const roles = createRoles();
  roles.put({
    arn: role.roleArn,
    trustPolicy: trustPolicyOf({ principal: '000000000000', externalId: role.externalId }),
  });
  const backend = createSts(roles, createSessions());
  asked = [];
  sts = await startAlone(service, async (request) => {
    asked.push(parseForm(request).input);
    return await backend(request);
  });
  process.env['AWS_ENDPOINT_URL_STS'] = sts.url;
  process.env['AWS_REGION'] = 'eu-central-1';
  process.env['AWS_ACCESS_KEY_ID'] = 'EXPORTER';
  process.env['AWS_SECRET_ACCESS_KEY'] = 'test';
  now = Date.now();
  credentials = new AssumedRoleClient(stsClient(), () => now);
});
afterEach(async () => await sts.close());

describe("credentials of a tenant's role", () => {
  test('are requested with the external id, for one stream and for the hour that role chaining allows', async () => {
    expect(await credentials.of(role)).toMatchObject({
      accessKeyId: expect.stringMatching(/^ASIA/) as unknown,
    });
    expect(asked).toEqual([
      expect.objectContaining({
        RoleArn: role.roleArn,
        ExternalId: role.externalId,
        DurationSeconds: '3600',
        Policy: sessionPolicy(role.resourceArn),
      }),
    ]);
  });

  test('are kept until 5 minutes before they expire', async () => {
    const first = await credentials.of(role);
    now += 54 * minute;
    expect(await credentials.of(role)).toBe(first);
    now += 2 * minute;
    expect(await credentials.of(role)).not.toEqual(first);
    expect(asked).toHaveLength(2);
  });

  test('are requested once for all concurrent callers', async () => {
    await Promise.all(Array.from({ length: 20 }, async () => await credentials.of(role)));
    expect(asked).toHaveLength(1);
  });

  test('belong to one stream and one external id', async () => {
    const other = { ...role, resourceArn: `${role.resourceArn}-2` };
    expect(await credentials.of(role)).not.toEqual(await credentials.of(other));
    await expect(credentials.of({ ...role, externalId: 'another-tenants-id' })).rejects.toThrow(
      CredentialsUnavailable,
    );
  });

  test('stay in use while STS is unavailable, until they expire', async () => {
    const first = await credentials.of(role);
    sts.faults.add({ service: 'sts', fault: 'unavailable' });
    now += 58 * minute;
    expect(await credentials.of(role)).toBe(first);
    now += 3 * minute;
    await expect(credentials.of(role)).rejects.toThrow(CredentialsUnavailable);
  });

  test('are dropped when they expire, even when other credentials were renewed meanwhile', async () => {
    const client = stsClient();
    // The stand-in has its own clock.
    client.middlewareStack.add(
      (next) => async (args) => {
        const result = await next(args);
        const { Credentials } = result.output as AssumeRoleCommandOutput;
        if (Credentials) Credentials.Expiration = new Date(now + 60 * minute);
        return result;
      },
      { step: 'initialize' },
    );
    credentials = new AssumedRoleClient(client, () => now);
    const left = { ...role, resourceArn: `${role.resourceArn}-left` };
    const other = { ...role, resourceArn: `${role.resourceArn}-other` };
    await credentials.of(role);
    now += minute;
    await credentials.of(left);
    now += 55 * minute;
    await credentials.of(role);
    expect(credentials.has(left)).toBe(true);
    now += 10 * minute;
    await credentials.of(other);
    expect([role, left, other].map((one) => credentials.has(one))).toEqual([true, false, true]);
  });

  test('are requested again after a refusal, and after they were forgotten', async () => {
    sts.faults.add({ service: 'sts', fault: 'access-denied', times: 1 });
    await expect(credentials.of(role)).rejects.toThrow(CredentialsUnavailable);
    const first = await credentials.of(role);
    credentials.forget(role);
    expect(await credentials.of(role)).not.toEqual(first);
  });
});

test('the session policy fits into the 2,048 characters of STS with the longest stream name', () => {
  const longest = `arn:aws-us-gov:kinesis:us-gov-east-1:111122223333:stream/${'x'.repeat(128)}`;
  expect(sessionPolicy(longest).length).toBeLessThanOrEqual(2048);
  expect(JSON.parse(sessionPolicy(longest))).toMatchObject({
    Statement: [
      { Action: ['kinesis:PutRecords', 'kinesis:DescribeStreamSummary'], Resource: longest },
      {
        Action: 'kms:GenerateDataKey',
        Condition: { StringEquals: { 'kms:ViaService': 'kinesis.us-gov-east-1.amazonaws.com' } },
      },
    ],
  });
});
