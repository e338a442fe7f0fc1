import { documentClient } from '../aws/dynamodb-client.ts';
import { kmsClient } from '../aws/kms-client.ts';
import { SecretBox } from '../aws/secret-box-client.ts';
import { PolledSignals } from '../export/kinds/signals/polled-signal-store.ts';
import { TargetStore } from '../export/targets/target-store.ts';
import type { ConfigureDeps } from '../signals/configure-stream.ts';
import { StreamStore } from '../signals/stream-store.ts';

export function streamStores({ TENANTS_TABLE }: { TENANTS_TABLE: string }) {
  const dynamodb = documentClient();
  const targets = new TargetStore(dynamodb, TENANTS_TABLE);
  return { dynamodb, targets, streams: new StreamStore(dynamodb, TENANTS_TABLE, targets) };
}

export function polledStores(env: { TENANTS_TABLE: string; SIGNALS_TABLE: string }) {
  const { dynamodb, ...stores } = streamStores(env);
  return { ...stores, polled: new PolledSignals(dynamodb, env.SIGNALS_TABLE) };
}

type ChangeEnvironment = {
  TENANTS_TABLE: string;
  BASE_URL: string;
  SECRETS_KEY_ID: string;
  OUTBOUND_LOOPBACK?: 'allowed' | undefined;
};

export const configureDeps = (env: ChangeEnvironment): ConfigureDeps => ({
  streams: streamStores(env).streams,
  secrets: new SecretBox(kmsClient(), env.SECRETS_KEY_ID),
  issuer: env.BASE_URL,
  allowsLoopback: env.OUTBOUND_LOOPBACK === 'allowed',
});
