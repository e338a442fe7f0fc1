import { cacheable, json } from '../../core/http/responses.ts';
import type { Handler } from '../../core/http/api-lambda.ts';

/** What a web app must know before it subscribes to pushes or creates a passkey. */
export type DeviceSettings = {
  webPush: { applicationServerKey: string };
  rpId: string;
  origins: readonly string[];
};

/** The settings change only with a deployment. */
export const createHandler =
  (settings: DeviceSettings): Handler =>
  async () =>
    await Promise.resolve(json(200, settings, cacheable));
