import { GetQueueUrlCommand, QueueDoesNotExist } from '@aws-sdk/client-sqs';
import { type QueueDefinition, queues } from '../../core/aws/queues.ts';
import { type TableName, tables } from '../../core/aws/tables.ts';
import { CommandError } from '../command-error.ts';
import { Clients } from './aws-clients.ts';
import type { Deployment, Queue } from './deployment.ts';
import { readLocalDescription } from './local-description.ts';

/** The local stack has names of its own in place of CloudFormation's. */
const nameOf = (name: string): string => `omi-local-${name}`;

/** The local stack has all three push platforms. */
const localApplications = [
  `GCM/${nameOf('fcm')}`,
  `APNS/${nameOf('apns')}`,
  `APNS_SANDBOX/${nameOf('apns-sandbox')}`,
];

export async function localDeployment(environment: NodeJS.ProcessEnv): Promise<Deployment> {
  const { baseUrl, tokenUrl, issuer, aws } = await readLocalDescription(environment);
  const { region, endpoints } = aws;
  const clients = new Clients({
    region,
    credentials: { accessKeyId: 'OPERATOR', secretAccessKey: 'local' },
    // Two that the local stack has beside others: IAM beside STS, Cognito's API beside its tokens.
    endpoints: { ...endpoints, iam: endpoints['sts'] ?? '', cognito: issuer },
  });
  const names = Object.keys(tables) as TableName[];
  return {
    name: 'the local stack',
    stage: 'local',
    region,
    baseUrl,
    tokenUrl,
    scopePrefix: '',
    clients,
    tables: Object.fromEntries(names.map((name) => [name, nameOf(name)])) as Record<TableName, string>,
    queueUrl: async (name) => await queueUrl(clients, name),
    // The one that there is, whatever it is called.
    userPoolId: 'local',
    resources: async () => await Promise.resolve([]),
    hasPushProviders: false,
    pushApplications: async () =>
      await Promise.resolve(
        localApplications.map((name) => `arn:aws:sns:${region}:000000000000:app/${name}`),
      ),
  };
}

const definitions: Partial<Record<Queue, QueueDefinition>> = queues;

async function queueUrl({ sqs }: Clients, name: Queue): Promise<string> {
  const QueueName = `${nameOf(name)}${definitions[name]?.fifo ? '.fifo' : ''}`;
  try {
    const { QueueUrl = '' } = await sqs.send(new GetQueueUrlCommand({ QueueName }));
    return QueueUrl;
  } catch (cause) {
    if (!(cause instanceof QueueDoesNotExist)) throw cause;
    throw new CommandError(`The local stack has no queue ${name}.`, 'Start it anew.', { cause });
  }
}
