import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { GetQueueUrlCommand, QueueDoesNotExist } from '@aws-sdk/client-sqs';
import * as v from 'valibot';
import { type QueueDefinition, queues } from '../../core/aws/queues.ts';
import { type TableName, tables } from '../../core/aws/tables.ts';
import { Failure } from '../failure.ts';
import { Clients } from './clients.ts';
import type { Deployment, Queue } from './deployment.ts';

/** What a running local stack says of itself (contract part 6). */
const description = v.object({
  baseUrl: v.string(),
  tokenUrl: v.string(),
  issuer: v.string(),
  aws: v.object({ region: v.string(), endpoints: v.record(v.string(), v.string()) }),
});

const startIt = 'Start it with "npm start", and wait until it says that it is ready.';

/** The local stack has names of its own in place of CloudFormation's. */
const nameOf = (name: string): string => `omi-local-${name}`;

/** All three platforms are on (contract part 6). */
const localApplications = [
  `GCM/${nameOf('fcm')}`,
  `APNS/${nameOf('apns')}`,
  `APNS_SANDBOX/${nameOf('apns-sandbox')}`,
];

export async function localDeployment(environment: NodeJS.ProcessEnv): Promise<Deployment> {
  // One that is empty counts as one that is not there, as for "npm start".
  const folder = environment['OMI_STATE'] === '' ? undefined : environment['OMI_STATE'];
  const { baseUrl, tokenUrl, issuer, aws } = await readDescription(folder ?? '.local');
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

async function readDescription(folder: string): Promise<v.InferOutput<typeof description>> {
  const file = join(resolve(folder), 'stack.json');
  const text = await readFile(file, 'utf8').catch((cause: unknown) => {
    throw unreadable(folder, file, cause);
  });
  const result = v.safeParse(v.pipe(v.string(), v.parseJson(), description), text);
  if (result.success) return result.output;
  const faults = result.issues.map(({ message }) => message.replaceAll(/\s+/g, ' ')).join('; ');
  throw new Failure(`${file} does not describe a local stack: ${faults}.`, startIt);
}

function unreadable(folder: string, file: string, cause: unknown): Failure {
  const { code } = cause as NodeJS.ErrnoException;
  if (code === 'ENOENT')
    return new Failure(`No local stack is running: there is no ${file}.`, startIt, { cause });
  if (code === 'ENOTDIR')
    return new Failure(
      `OMI_STATE must name the folder in which a local stack describes itself: ${folder} is none.`,
      undefined,
      { cause },
    );
  return new Failure(`${file} cannot be read: ${code ?? String(cause)}.`, undefined, { cause });
}

const definitions: Partial<Record<Queue, QueueDefinition>> = queues;

async function queueUrl({ sqs }: Clients, name: Queue): Promise<string> {
  const QueueName = `${nameOf(name)}${definitions[name]?.fifo ? '.fifo' : ''}`;
  try {
    const { QueueUrl = '' } = await sqs.send(new GetQueueUrlCommand({ QueueName }));
    return QueueUrl;
  } catch (cause) {
    if (!(cause instanceof QueueDoesNotExist)) throw cause;
    throw new Failure(`The local stack has no queue ${name}.`, 'Start it anew.', { cause });
  }
}
