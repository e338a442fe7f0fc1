import type { DynamoDBDocumentClient } from '../aws/dynamodb-client.ts';
import type { BaseUrls } from '../kernel/base-urls.ts';
import { ConfirmationStore } from '../confirmations/confirmation-store.ts';
import { DeviceStore } from '../devices/device-store.ts';
import { Outbox } from '../events/outbox-writer.ts';
import { GroupStore } from '../confirmations/groups/group-store.ts';
import { EndpointClient } from '../devices/push/endpoint-client.ts';
import { browserPushServices, type PushServices } from '../devices/push-services.ts';
import { PushClient } from '../devices/push/push-client.ts';
import { ReleasedEndpointStore } from '../devices/push/released-endpoint-store.ts';
import { readSecretText } from '../aws/secret-reader-client.ts';
import { snsClient } from '../aws/sns-client.ts';
import type { PushChannels } from '../devices/push/push-channels.ts';
import { parseVapidKey } from '../devices/push/vapid-key.ts';
import { VapidSigner } from '../devices/push/vapid-signer.ts';
import { producer } from './producer.ts';
import { WebPushClient } from '../devices/push/web-push-client.ts';

/** Wiring that several Lambdas share. */
type Tables = { DEVICES_TABLE: string; CONFIRMATIONS_TABLE: string; EVENTS_TABLE: string };

type Applications = {
  FCM_APPLICATION_ARN?: string | undefined;
  APNS_APPLICATION_ARN?: string | undefined;
  APNS_SANDBOX_APPLICATION_ARN?: string | undefined;
};

export const outbox = (client: DynamoDBDocumentClient, { EVENTS_TABLE }: Pick<Tables, 'EVENTS_TABLE'>) =>
  new Outbox(client, EVENTS_TABLE, producer());

type BaseUrlVariables = { BASE_URL: string; FORMER_BASE_URLS?: string | undefined };

/** The current one, and those before. */
export const baseUrlsOf = ({ BASE_URL, FORMER_BASE_URLS }: BaseUrlVariables): BaseUrls => [
  BASE_URL,
  ...(FORMER_BASE_URLS?.split(',') ?? []),
];

/** Publishing needs no platform applications; creating endpoints does. */
export const pushClient = (env: Applications = {}): PushClient =>
  new PushClient(snsClient(), {
    ...(env.FCM_APPLICATION_ARN && { fcm: env.FCM_APPLICATION_ARN }),
    ...(env.APNS_APPLICATION_ARN && { apns: env.APNS_APPLICATION_ARN }),
    ...(env.APNS_SANDBOX_APPLICATION_ARN && { 'apns-sandbox': env.APNS_SANDBOX_APPLICATION_ARN }),
  });

type PushServiceVariables = {
  WEB_PUSH_HOSTS?: string | undefined;
  WEB_PUSH_LOCAL_ORIGIN?: string | undefined;
  WEB_PUSH_PUBLIC_KEY?: string;
};

export const allowedPushServices = (env: PushServiceVariables): PushServices => ({
  hosts: [...browserPushServices, ...(env.WEB_PUSH_HOSTS?.split(',') ?? [])],
  localOrigin: env.WEB_PUSH_LOCAL_ORIGIN,
  applicationServerKey: env.WEB_PUSH_PUBLIC_KEY,
});

type WebPushVariables = PushServiceVariables & {
  ORIGINS: string;
  WEB_PUSH_SECRET_ARN: string;
  WEB_PUSH_CONTACT: string;
};

/** The key is read with the first push to a browser. */
export function pushChannels(env: WebPushVariables & Applications): PushChannels {
  const readKey = async () => parseVapidKey(await readSecretText(env.WEB_PUSH_SECRET_ARN));
  const signer = new VapidSigner(env.WEB_PUSH_CONTACT, readKey);
  const [appUrl = ''] = env.ORIGINS.split(',');
  const web = new WebPushClient({ services: allowedPushServices(env), signer, appUrl });
  return { native: pushClient(env), web };
}

/** For Lambdas that may leave an endpoint without a device. */
export const endpointDeps = (
  client: DynamoDBDocumentClient,
  { DEVICES_TABLE }: Pick<Tables, 'DEVICES_TABLE'>,
) => ({
  devices: new DeviceStore(client, DEVICES_TABLE),
  released: new ReleasedEndpointStore(client, DEVICES_TABLE),
  endpoints: new EndpointClient(snsClient()),
});

export const confirmationDeps = (
  client: DynamoDBDocumentClient,
  env: Pick<Tables, 'CONFIRMATIONS_TABLE' | 'EVENTS_TABLE'>,
) => ({
  confirmations: new ConfirmationStore(client, env.CONFIRMATIONS_TABLE),
  groups: new GroupStore(client, env.CONFIRMATIONS_TABLE),
  outbox: outbox(client, env),
});

export const confirmationAndDeviceDeps = (client: DynamoDBDocumentClient, env: Tables) => ({
  ...confirmationDeps(client, env),
  devices: new DeviceStore(client, env.DEVICES_TABLE),
});

/** For Lambdas that ask for a confirmation. */
export const sendDeps = (
  client: DynamoDBDocumentClient,
  env: Parameters<typeof pushChannels>[0] & Tables,
) => ({
  ...confirmationAndDeviceDeps(client, env),
  push: pushChannels(env),
});
