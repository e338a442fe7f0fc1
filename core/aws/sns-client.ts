import { SNSClient } from '@aws-sdk/client-sns';
import { NodeHttpHandler } from '@smithy/node-http-handler';

const timeLimits = { connectionTimeout: 1_000, requestTimeout: 2_000, throwOnRequestTimeout: true };

/**
 * The SDK's standard mode: three attempts where the connection is broken or SNS is busy. A frozen Lambda finds its
 * connections closed, so the first call after a pause may fail with `ECONNRESET`. Calls about endpoints may all be
 * repeated; for a publish see `PushClient`.
 */
export const snsClient = (): SNSClient =>
  new SNSClient({ maxAttempts: 3, requestHandler: new NodeHttpHandler(timeLimits) });
