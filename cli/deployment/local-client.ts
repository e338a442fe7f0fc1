import { GetQueueUrlCommand, QueueDoesNotExist } from '@aws-sdk/client-sqs';
import { type QueueDefinition, queues } from '../../core/aws/queues.ts';
import type { KeyUse } from '../../core/keys/key-use.ts';
import { PublicKey } from '../../core/keys/signing-key-client.ts';
import { CommandError } from '../command-error.ts';
import { Clients } from './aws-clients.ts';
import type { Deployment, Queue } from './deployment.ts';
import { readLocalDescription } from './local-description.ts';

/** The names of the local stack's resources. */
const nameOf = (name: string): string => `omi-local-${name}`;

/** The local stack has all three push platforms. */
const localApplications = [
  `GCM/${nameOf('fcm')}`,
  `APNS/${nameOf('apns')}`,
  `APNS_SANDBOX/${nameOf('apns-sandbox')}`,
];

export async function localDeployment(environment: NodeJS.ProcessEnv): Promise<Deployment> {
  const { baseUrl, formerBaseUrls, appUrl, exportsUrl, consoleUrl, siteUrl, tokenUrl, issuer, aws, tables } =
    await readLocalDescription(environment);
  const { region, endpoints } = aws;
  const clients = new Clients({
    region,
    credentials: { accessKeyId: 'OPERATOR', secretAccessKey: 'local' },
    // The local stack serves IAM with STS, and the API of Cognito with its tokens.
    endpoints: { ...endpoints, iam: endpoints['sts'] ?? '', cognito: issuer },
  });
  return {
    name: 'the local stack',
    selector: '--local',
    stage: 'local',
    region,
    baseUrl,
    formerBaseUrls,
    appUrl,
    exportsUrl,
    consoleUrl,
    mailFrom: 'omi@operator.example',
    tokenUrl,
    scopePrefix: '',
    clients,
    tables,
    queueUrl: async (name) => await queueUrl(clients, name),
    secretsKeyId: () => 'alias/omi-local-secrets',
    webPushSecretId: () => nameOf('web-push-key'),
    signingKids: async () => await localKids(clients),
    // The local stack accepts any id.
    userPoolId: 'local',
    resources: async () => await Promise.resolve([]),
    demo: async () => await Promise.resolve(siteUrl === undefined ? undefined : { url: siteUrl }),
    copies: async () => await Promise.resolve(undefined),
    hasAccount: false,
    pushApplications: async () =>
      await Promise.resolve(
        localApplications.map((name) => `arn:aws:sns:${region}:000000000000:app/${name}`),
      ),
  };
}

/** The local stack has no outputs, and its keys have aliases. */
async function localKids({ kms }: Clients): Promise<Record<KeyUse, string>> {
  const [token, receipt, log] = await Promise.all([
    new PublicKey(kms, 'alias/omi-local-signing', 'token').jwk(),
    new PublicKey(kms, 'alias/omi-local-receipts', 'receipt').jwk(),
    new PublicKey(kms, 'alias/omi-local-log', 'log').jwk(),
  ]);
  return { token: token.kid, receipt: receipt.kid, log: log.kid };
}

const definitions: Partial<Record<Queue, QueueDefinition>> = queues;

async function queueUrl({ sqs }: Clients, name: Queue): Promise<string> {
  const QueueName = `${nameOf(name)}${definitions[name]?.fifo ? '.fifo' : ''}`;
  try {
    const { QueueUrl = '' } = await sqs.send(new GetQueueUrlCommand({ QueueName }));
    return QueueUrl;
  } catch (cause) {
    if (!(cause instanceof QueueDoesNotExist)) throw cause;
    throw new CommandError(`The local stack has no queue ${name}.`, 'Restart it.', { cause });
  }
}
