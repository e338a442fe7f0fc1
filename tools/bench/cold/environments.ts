import { newVapidKey, publicKeyOf } from '../../../core/devices/push/vapid-key.ts';
import { accountId, region } from '../../local/aws/identity.ts';
import { environmentOf, lambdaNames } from '../../../lambdas/registered.ts';
import { runtimeEnvironment } from '../../local/lambda/runtime-environment.ts';
import { valuesOf } from '../../local/lambda/values.ts';
import { localQueues, type QueueUrls } from '../../local/resources/queues.ts';
import { localTables } from '../../local/resources/tables.ts';

const application = (platform: string): string => `arn:aws:sns:${region}:${accountId}:app/${platform}/omi`;

const queues = Object.fromEntries(
  Object.entries(localQueues).map(([name, queue]) => [name, `https://sqs.omi.example/${queue}`]),
) as QueueUrls;

/** Nothing answers at these addresses: a Lambda makes no calls while it loads. */
const values = valuesOf({
  baseUrl: 'https://omi.example',
  appUrl: 'https://app.omi.example',
  exportsUrl: 'https://exports.omi.example',
  issuer: 'https://issuer.omi.example',
  staff: { issuer: 'https://staff.omi.example', clientId: 'help-desk', exportsClientId: 'exports' },
  webPushKey: { publicKey: publicKeyOf(newVapidKey()), secretId: 'web-push-key' },
  kids: { token: 'token', receipt: 'receipt', log: '00000000' },
  webPushUrl: 'http://127.0.0.1:1/push',
  tables: localTables,
  applications: {
    fcm: application('GCM'),
    apns: application('APNS'),
    'apns-sandbox': application('APNS_SANDBOX'),
  },
  queues,
});

/** The environment of each Lambda, by its name, without those that only a deployment runs. */
export const environments: ReadonlyMap<string, NodeJS.ProcessEnv> = new Map(
  lambdaNames.map((name) => [
    name,
    { ...runtimeEnvironment(name, { region, endpoints: {} }), ...environmentOf(name, values) },
  ]),
);
