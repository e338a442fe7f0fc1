import type { Device } from '../device.ts';
import type { PushClient, PushOutcome } from './push-client.ts';
import type { PushContent } from './push-payload.ts';
import type { WebPushClient } from './web-push-client.ts';

/** The two ways to a device: SNS to apps from a store, web push to browsers. */
export type PushChannels = { native: PushClient; web: Pick<WebPushClient, 'send'> };

/** What sends a push, as far as it creates no endpoint. */
export type PushSenders = { native: Pick<PushClient, 'publish'>; web: Pick<WebPushClient, 'send'> };

/** Where a push to the device goes. Devices may share it; absent if pushes cannot reach the device. */
export const addressOf = (device: Device): string | undefined =>
  device.platform === 'web' ? device.subscription?.endpoint : device.endpointArn;

/** One push to a device by its channel. Never throws. */
export async function pushTo(
  { native, web }: PushSenders,
  device: Device,
  content: PushContent,
): Promise<PushOutcome> {
  if (device.platform !== 'web') return await native.publish(device.endpointArn, device.platform, content);
  return device.subscription ? await web.send(device.subscription, content) : { delivery: 'unreachable' };
}
