import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ListEndpointsByPlatformApplicationCommand, SNSClient } from '@aws-sdk/client-sns';
import { expect } from '@jest/globals';
import { untilCalled } from '../../support/recorded-calls.ts';
import type { TestStack } from '../../support/stack.ts';
import { until } from '../../support/waiting.ts';
import { beginFault } from '../export-faults/faults.ts';
import { succeeded } from '../expectations.ts';
import { enrolDevice } from '../scenario.ts';
import type { KilledScene } from './scene.ts';

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

async function untilGone(stack: TestStack, token: string): Promise<void> {
  await until(async () => !(await tokensAtSns(stack)).has(token), 'the push token leaves SNS');
}

/** Longer than the stack lives. */
const neverMs = 600_000;

export function removal(data: string): KilledScene {
  let userId = '';
  let token = '';
  let removing: Promise<unknown> | undefined;
  return {
    begin: async (stack) => {
      const device = await enrolDevice(stack.website);
      ({ userId } = device.identity);
      token = device.description.pushToken;
      const deletion = { service: 'sns', operation: 'DeleteEndpoint' } as const;
      await beginFault(stack.file, { ...deletion, fault: 'slow', delayMs: neverMs });
      removing = stack.website.removeDevice(userId, device.identity.deviceId).catch(() => undefined);
      await untilCalled(stack, 'remove-device', 'DeleteEndpoint');
    },
    whileDead: async () => {
      await removing;
      expect(await readFile(join(data, 'sns.json'), 'utf8')).toContain(token);
    },
    check: async (stack) => {
      expect(succeeded(await stack.website.listDevices(userId), 200)).toEqual({ devices: [] });
      await untilGone(stack, token);
    },
  };
}
