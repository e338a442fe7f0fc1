import { KMSClient } from '@aws-sdk/client-kms';
import { NodeHttpHandler } from '@smithy/node-http-handler';
import { countKeyFault } from './kms-metrics.ts';

const timeLimits = { connectionTimeout: 1_000, requestTimeout: 2_000, throwOnRequestTimeout: true };

/** Every call to KMS may be repeated, because none changes anything. So the SDK makes three attempts. */
export function kmsClient(): KMSClient {
  const client = new KMSClient({ maxAttempts: 3, requestHandler: new NodeHttpHandler(timeLimits) });
  client.middlewareStack.add(
    (next, { commandName = '' }) =>
      async (call) => {
        try {
          return await next(call);
        } catch (error) {
          countKeyFault(commandName.replace(/Command$/, ''));
          throw error;
        }
      },
    // Before the SDK's own retries.
    { step: 'initialize', name: 'countKeyFaults' },
  );
  return client;
}
