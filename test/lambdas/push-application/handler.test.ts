import type { CloudFormationCustomResourceEvent } from 'aws-lambda';
import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Attributes, Platform } from '../../../core/devices/push/platform-credentials.ts';
import { createHandler } from '../../../lambdas/push-application/handler.ts';
import type { Outcome } from '../../../core/lambda/custom-resource.ts';

const arn = 'arn:aws:sns:eu-central-1:000000000000:app/GCM/omi-dev';
const failureFeedbackRoleArn = 'arn:aws:iam::000000000000:role/feedback';
/** SNS logs what the provider refuses, and nothing else. */
const logged = { FailureFeedbackRoleArn: failureFeedbackRoleArn, SuccessFeedbackSampleRate: '0' };
const keyFile = JSON.stringify({ type: 'service_account', project_id: 'omi', private_key: 'PRIVATE' });
const apnsKey = { signingKey: 'PRIVATE', signingKeyId: 'K1', teamId: 'T1', bundleId: 'com.example.app' };

let secret: string;
let fault: Error | undefined;
let outcomes: Outcome[];
let applications: Map<string, { platform: Platform; attributes: Attributes }>;

beforeEach(() => {
  secret = keyFile;
  fault = undefined;
  outcomes = [];
  applications = new Map();
});

const handler = createHandler({
  applications: {
    put: (name, platform, attributes) => {
      if (fault) return Promise.reject(fault);
      applications.set(name, { platform, attributes });
      return Promise.resolve();
    },
    delete: (name) => {
      applications.delete(name);
      return Promise.resolve();
    },
  },
  readSecret: (name) => Promise.resolve(name === 'omi/push' ? secret : undefined),
  respond: (_, outcome) => {
    outcomes.push(outcome);
    return Promise.resolve();
  },
});

type Ask = { RequestType: 'Create' | 'Update' | 'Delete'; PhysicalResourceId?: string; properties?: object };

/** What CloudFormation sends, of which the handler reads only this. */
const ask = async ({ properties, ...event }: Ask): Promise<Outcome | undefined> => {
  const wanted = {
    applicationArn: arn,
    platform: 'GCM',
    secretName: 'omi/push',
    failureFeedbackRoleArn,
    revision: '1',
    ...properties,
  };
  await handler({ ...event, ResourceProperties: wanted } as unknown as CloudFormationCustomResourceEvent);
  return outcomes.at(-1);
};

describe('the application', () => {
  test('is created with the credentials of the secret', async () => {
    await expect(ask({ RequestType: 'Create' })).resolves.toEqual({
      status: 'SUCCESS',
      physicalResourceId: arn,
    });
    expect(applications.get(arn)).toEqual({
      platform: 'GCM',
      attributes: { PlatformCredential: keyFile, ...logged },
    });
  });

  test('uses a signing key for Apple', async () => {
    secret = JSON.stringify(apnsKey);
    await ask({ RequestType: 'Create', properties: { platform: 'APNS_SANDBOX' } });
    expect(applications.get(arn)).toEqual({
      platform: 'APNS_SANDBOX',
      attributes: {
        PlatformCredential: 'PRIVATE',
        PlatformPrincipal: 'K1',
        ApplePlatformTeamID: 'T1',
        ApplePlatformBundleID: 'com.example.app',
        ...logged,
      },
    });
  });

  test('gets new credentials with a new revision, and keeps its id', async () => {
    await ask({ RequestType: 'Create' });
    secret = keyFile.replace('PRIVATE', 'RENEWED');
    const update = { RequestType: 'Update', PhysicalResourceId: arn, properties: { revision: '2' } } as const;
    await expect(ask(update)).resolves.toEqual({ status: 'SUCCESS', physicalResourceId: arn });
    expect(applications.get(arn)?.attributes['PlatformCredential']).toContain('RENEWED');
  });

  test('gets the role with which SNS logs failures if it is of an earlier version', async () => {
    applications.set(arn, { platform: 'GCM', attributes: {} });
    await ask({ RequestType: 'Update', PhysicalResourceId: arn });
    expect(applications.get(arn)?.attributes).toMatchObject(logged);
  });

  test('is deleted with its resource', async () => {
    await ask({ RequestType: 'Create' });
    await ask({ RequestType: 'Delete', PhysicalResourceId: arn });
    expect(applications.size).toBe(0);
  });

  test('is deleted without its secret, which may no longer exist', async () => {
    const deletion = {
      RequestType: 'Delete',
      PhysicalResourceId: arn,
      properties: { secretName: 'gone' },
    } as const;
    await expect(ask(deletion)).resolves.toMatchObject({ status: 'SUCCESS' });
  });
});

describe('a failure', () => {
  test('is reported, because CloudFormation would otherwise wait for an hour', async () => {
    await expect(ask({ RequestType: 'Create', properties: { secretName: 'other' } })).resolves.toMatchObject({
      status: 'FAILED',
      reason: 'The secret other does not exist, or holds no text.',
    });
  });

  test('deletes nothing after a failed creation, because the application may belong to an earlier stack', async () => {
    applications.set(arn, { platform: 'GCM', attributes: {} });
    fault = new Error('refused');
    const failed = await ask({ RequestType: 'Create' });
    await ask({ RequestType: 'Delete', PhysicalResourceId: failed?.physicalResourceId ?? '' });
    expect(applications.has(arn)).toBe(true);
  });

  test('keeps the id after a failed update, because CloudFormation would delete a replaced application', async () => {
    fault = new Error('refused');
    await expect(ask({ RequestType: 'Update', PhysicalResourceId: arn })).resolves.toMatchObject({
      status: 'FAILED',
      physicalResourceId: arn,
    });
  });

  test.each([
    ['GCM', 'not JSON PRIVATE'],
    ['GCM', JSON.stringify({ type: 'authorized_user', private_key: 'PRIVATE' })],
    ['APNS', JSON.stringify({ ...apnsKey, teamId: 7 })],
    ['APNS', JSON.stringify({ ...apnsKey, extra: 'PRIVATE' })],
  ])('states, for a %s secret, what was expected and nothing of its content', async (platform, text) => {
    secret = text;
    const outcome = await ask({ RequestType: 'Create', properties: { platform } });
    expect(outcome).toMatchObject({
      status: 'FAILED',
      reason: expect.stringMatching(/^The secret must be JSON: /),
    });
    expect(JSON.stringify(outcome)).not.toContain('PRIVATE');
  });

  test('names only the error of SNS, because its message may repeat the credentials', async () => {
    fault = Object.assign(new Error('Invalid parameter: PRIVATE'), { name: 'InvalidParameterException' });
    await expect(ask({ RequestType: 'Create' })).resolves.toMatchObject({
      reason: 'InvalidParameterException',
    });
  });
});
