import type { PushChannels } from '../../core/devices/push/push-channels.ts';
import type { PushClient } from '../../core/devices/push/push-client.ts';

/** For tests of devices that have an SNS endpoint. */
export const nativeOnly = (native: PushClient): PushChannels => ({
  native,
  web: { send: async () => await Promise.reject(new Error('No web push was expected')) },
});
