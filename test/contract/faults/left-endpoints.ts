import { ListEndpointsByPlatformApplicationCommand, SNSClient } from '@aws-sdk/client-sns';
import { expect, test } from '@jest/globals';
import { type SimulatedDevice } from '../../../tools/client/device/simulated-device.ts';
import { withFault } from '../../../tools/local/client/local-stack.ts';
import { omiOn } from '../../cli/omi.ts';
import type { TestStack } from '../../support/stack.ts';
import { until } from '../../support/waiting.ts';
import { succeeded } from '../expectations.ts';
import { enrolDevice } from '../scenario.ts';

const application = 'arn:aws:sns:eu-central-1:000000000000:app/GCM/omi-local-fcm';

/** The push tokens that SNS has. */
async function tokensAtSns({ file }: TestStack): Promise<Set<string>> {
  const { region, endpoints } = file.aws;
  const credentials = { accessKeyId: 'OPERATOR', secretAccessKey: 'any' };
  const client = new SNSClient({ region, endpoint: endpoints.sns, credentials });
  const tokens = new Set<string>();
  let NextToken: string | undefined;
  do {
    const page = await client.send(
      new ListEndpointsByPlatformApplicationCommand({
        PlatformApplicationArn: application,
        ...(NextToken !== undefined && { NextToken }),
      }),
    );
    for (const { Attributes } of page.Endpoints ?? []) tokens.add(Attributes?.['Token'] ?? '');
    ({ NextToken } = page);
  } while (NextToken !== undefined);
  client.destroy();
  return tokens;
}

export async function untilGone(stack: TestStack, token: string): Promise<void> {
  await until(async () => !(await tokensAtSns(stack)).has(token), 'the push token leaves SNS');
}

const ways: Record<string, (stack: TestStack, device: SimulatedDevice) => Promise<void>> = {
  'removed by its website': async ({ website }, { identity }) => {
    succeeded(await website.removeDevice(identity.userId, identity.deviceId), 204);
  },
  'left by an erased user': async (stack, { identity }) => {
    const { tenantId, userId } = identity;
    const command = ['user', 'erase', '--tenant', tenantId, '--user', userId, '--yes'];
    expect((await omiOn(stack)(command)).code).toBe(0);
  },
};

const faults = ['unavailable', 'not-found'] as const;

export function leftEndpoints(stack: TestStack): void {
  const removals = Object.keys(ways).map((way, index) => [way, faults[index] ?? 'unavailable'] as const);
  test.each(removals)('is repeated until the push token is gone: %s (%s)', async (way, fault) => {
    const device = await enrolDevice(stack.website);
    const token = device.description.pushToken;
    await withFault(stack.file, { service: 'sns', operation: 'DeleteEndpoint', fault }, async () => {
      await ways[way]?.(stack, device);
      expect(await tokensAtSns(stack)).toContain(token);
    });
    await untilGone(stack, token);
  });
}
