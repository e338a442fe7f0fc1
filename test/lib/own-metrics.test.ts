import { describe, expect, jest, test } from '@jest/globals';
import type { Context } from 'aws-lambda';
import * as v from 'valibot';
import { transitions } from '../../core/confirmations/confirmation.ts';
import { keyOperations } from '../../core/aws/key-operations.ts';
import { countedErrors, deliveryModes } from '../../core/openid/metric-values.ts';
import { platforms } from '../../core/devices/device.ts';
import { kinds } from '../../core/export/kinds/records.ts';
import { states, target as schema, type Target } from '../../core/export/targets/target.ts';
import { metricLines } from '../support/metric-lines.ts';
import { countedBy, embeddedIn, filtersOf, inAlarms, inDashboard, newVersion } from './own-metrics.ts';
import { everyPlatform } from './settings.ts';
import { environmentsOf, resourcesOf, synthesize } from './synthesize.ts';

const template = synthesize('production', everyPlatform);
const [environment = {}] = environmentsOf(template).values();
const { OMI_STAGE, POWERTOOLS_SERVICE_NAME, POWERTOOLS_METRICS_NAMESPACE } = environment;
Object.assign(process.env, { OMI_STAGE, POWERTOOLS_SERVICE_NAME, POWERTOOLS_METRICS_NAMESPACE });
process.env['AWS_LAMBDA_FUNCTION_VERSION'] = newVersion;
// Imported here, because they read the environment when they are loaded.
const { measureLateness } = await import('../../core/confirmations/expiry-metrics.ts');
const { batchLambda } = await import('../../core/lambda/batch-lambda.ts');
const { countConfirmations } = await import('../../core/events/confirmation-metrics.ts');
const { countOutcomes } = await import('../../core/export/delivery/export-metrics.ts');
const { measureCallbacks } = await import('../../core/callbacks/callback-metrics.ts');
const { measureBucketsInTrouble, measureIncompleteBuckets } =
  await import('../../core/export/kinds/bucket/reports/report-metrics.ts');
const { measureOpenMinute } = await import('../../core/export/log/log-metrics.ts');
const { measureStuckTargets } = await import('../../core/export/notices/notice-metrics.ts');
const { countPush, measureOldestRelease } = await import('../../core/devices/push/push-metrics.ts');

const { countAuthentication, countOAuthError, countTokens } =
  await import('../../core/openid/openid-metrics.ts');
const { Refusal } = await import('../../core/kernel/refusal.ts');
const { countPasskeyRefusal } = await import('../../core/devices/passkeys/passkey-metrics.ts');
const { countKeyFault } = await import('../../core/aws/kms-metrics.ts');

const lines = metricLines();
const faultLines: Record<string, unknown>[] = [];
jest.spyOn(console, 'error').mockImplementation((line: unknown) => {
  faultLines.push(JSON.parse(String(line)) as Record<string, unknown>);
});

const destinations = {
  bucket: {
    kind: 'bucket',
    bucket: 'events',
    deliveryRoleArn: 'arn:aws:iam::000000000000:role/d',
    deliveryStreamName: 'omi',
  },
  signals: {
    kind: 'signals',
    streamId: '0199c0de-0001-7000-8000-000000000001',
    audience: 'receiver',
  },
  stream: {
    kind: 'stream',
    streamArn: 'arn:aws:kinesis:eu-central-1:000000000000:stream/events',
    roleArn: 'arn:aws:iam::000000000000:role/export',
    externalId: 'an-external-id-of-a-tenant',
  },
  bus: {
    kind: 'bus',
    busArn: 'arn:aws:events:eu-central-1:000000000000:event-bus/omi',
    roleArn: 'arn:aws:iam::000000000000:role/export',
    externalId: 'an-external-id-of-a-tenant',
  },
  webhook: { kind: 'webhook', url: 'https://events.example.com/' },
};

const parked = (kind: keyof typeof destinations, state: Target['state']): Target =>
  v.parse(schema, {
    tenantId: '0199c0de-0000-7000-8000-000000000001',
    category: 'public',
    destination: destinations[kind],
    state,
    stateSince: 0,
    parkedCount: 1,
    parkedThrough: { '0/1': '1' },
    drainedThrough: {},
    waitingSince: { '0/1': 1_000 },
  });

/** Makes the code send all of its metrics. @returns the metrics that CloudWatch gets */
function emitted(): Set<string> {
  lines.length = 0;
  for (const platform of platforms)
    for (const delivery of ['sent', 'failed', 'unreachable'] as const) countPush(platform, delivery);
  const types = ['PushNotificationSentEvent', ...Object.values(transitions).map(({ event }) => event)];
  for (const type of types) countConfirmations([{ type, took: 1_000 }]);
  for (const state of states)
    for (const kind of kinds)
      countOutcomes([{ target: parked(kind, state), delivered: 1, parked: 1, ageMs: 5 }], 9_000);
  measureCallbacks([
    { outcome: 'delivered', ageMs: 1 },
    { outcome: 'failed', ageMs: 1, waitMs: 1, reason: 'HTTP 500' },
  ]);
  return new Set(lines.flatMap(embeddedIn));
}

/** Sent only while SNS does not delete push tokens, and by the clock if it found an expiry. */
function emittedNowAndThen(): string[] {
  lines.length = 0;
  measureOldestRelease(1_000);
  measureBucketsInTrouble(1);
  measureIncompleteBuckets(1);
  measureStuckTargets(1);
  measureOpenMinute(1_000);
  measureLateness(1_000);
  return lines.flatMap(embeddedIn);
}

/** Sent only where OpenID Connect clients ask. */
function emittedOfClients(): string[] {
  lines.length = 0;
  for (const mode of deliveryModes) countAuthentication(mode);
  countTokens();
  for (const error of countedErrors) countOAuthError(error);
  countOAuthError('authorization_pending');
  return lines.flatMap(embeddedIn);
}

/** Sent only while KMS refuses calls. */
function emittedOfKeys(): string[] {
  lines.length = 0;
  for (const operation of keyOperations) countKeyFault(operation);
  countPasskeyRefusal(new Refusal('passkey-counter', ''));
  return lines.flatMap(embeddedIn);
}

/** Makes each Lambda fail by its own fault and by a fault of a service that it uses. */
async function emittedOfFaults(): Promise<Set<string>> {
  faultLines.length = 0;
  const names = resourcesOf(template, 'AWS::Lambda::Function').map(
    ([, { Properties }]) => Properties['FunctionName'],
  );
  const late = Object.assign(new Error('late'), { name: 'TimeoutError' });
  for (const functionName of names)
    for (const error of [new TypeError('x is undefined'), late]) {
      const lambda = batchLambda(() => Promise.reject(error)) as unknown as (
        event: object,
        context: Context,
      ) => Promise<unknown>;
      await lambda({}, { functionName } as Context).catch(() => undefined);
    }
  return new Set(faultLines.flatMap((line) => countedBy(filtersOf(template), line)));
}

describe('every metric of the service', () => {
  test.each([
    ['metrics of alarms', inAlarms(template)],
    ['metrics of the dashboard', inDashboard(template)],
  ])('is emitted by the code with exactly these dimensions: %s', async (_, looked) => {
    const known = new Set([
      ...emitted(),
      ...emittedNowAndThen(),
      ...emittedOfClients(),
      ...emittedOfKeys(),
      ...(await emittedOfFaults()),
    ]);
    expect(looked.length).toBeGreaterThan(10);
    expect(looked.filter((metric) => !known.has(metric))).toEqual([]);
  });

  test('counts the answers of passkeys whose counter fell, and no other refusals', () => {
    lines.length = 0;
    for (const code of ['passkey-counter', 'user-verification-failed'] as const)
      countPasskeyRefusal(new Refusal(code, ''));
    expect(lines).toEqual([expect.objectContaining({ PasskeyCountersRefused: 1 })]);
  });

  test('counts only errors that reveal attacks and broken clients', () => {
    const errors = emittedOfClients().filter((metric) => metric.includes('OAuthErrors'));
    expect(errors).toHaveLength(countedErrors.length);
    expect(errors.join()).not.toContain('authorization_pending');
  });
});
