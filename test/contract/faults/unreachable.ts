import { SetEndpointAttributesCommand, SNSClient } from '@aws-sdk/client-sns';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { withFault } from '../../../tools/local/client/local-stack.ts';
import { newPushToken, type SimulatedDevice } from '../../../client/device/simulated-device.ts';
import type { TestStack } from '../../support/stack.ts';
import { succeeded } from '../expectations.ts';
import {
  enrolDevice,
  expectStatus,
  listed,
  openChallenge,
  poll,
  push,
  pushAndConfirm,
  pushesTo,
} from '../scenario.ts';

const disabled = { service: 'sns', operation: 'Publish', fault: 'disabled', times: 1 } as const;

export function unreachable(stack: TestStack): void {
  let sns: SNSClient;
  beforeAll(() => {
    const { region, endpoints } = stack.file.aws;
    const credentials = { accessKeyId: 'any', secretAccessKey: 'any' };
    sns = new SNSClient({ region, endpoint: endpoints.sns, credentials });
  });
  afterAll(() => sns.destroy());

  /** What SNS itself does when a provider says that a token is stale. */
  const disableEndpoints = async ({ description }: SimulatedDevice) => {
    const [arrived] = await pushesTo(stack, description.pushToken);
    const EndpointArn = arrived?.endpointArn;
    await sns.send(new SetEndpointAttributesCommand({ EndpointArn, Attributes: { Enabled: 'false' } }));
  };

  test('is reported for the delivery and the device when its endpoint is disabled', async () => {
    const device = await enrolDevice(stack.website);
    const sent = await withFault(stack.file, disabled, async () => await push(stack.website, device));
    expect(sent).toMatchObject({ status: 'pending', delivery: 'unreachable' });
    expect((await poll(stack.website, sent.nonce)).delivery).toBe('unreachable');
    expect((await listed(stack.website, device)).status).toBe('unreachable');
  });

  test('still fetches the challenge and answers', async () => {
    const device = await enrolDevice(stack.website);
    const sent = await withFault(stack.file, disabled, async () => await push(stack.website, device));
    succeeded(await device.confirm(await openChallenge(device)), 200);
    await expectStatus(stack.website, sent.nonce, 'confirmed');
  });

  test.each(['the same', 'a new'])('becomes active again with %s push token', async (which) => {
    const device = await enrolDevice(stack.website);
    await pushAndConfirm(stack.website, device);
    await disableEndpoints(device);
    expect(await pushAndConfirm(stack.website, device)).toMatchObject({ delivery: 'unreachable' });
    expect((await listed(stack.website, device)).status).toBe('unreachable');
    const token = which === 'the same' ? device.description.pushToken : newPushToken();
    const before = (await pushesTo(stack, token)).length;
    succeeded(await device.refreshPushToken(token), 204);
    expect((await listed(stack.website, device)).status).toBe('active');
    expect((await push(stack.website, device)).delivery).toBe('sent');
    expect(await pushesTo(stack, token)).toHaveLength(before + 1);
  });
}
