import type { LocalCloudOptions } from './cloud-services.ts';
import type { CallLog } from './endpoint/call-log.ts';
import { CloudServices } from './cloud-services.ts';
import type { ServiceName } from './endpoint/fault-schema.ts';
import type { Faults } from './endpoint/faults.ts';
import type { Writes } from './endpoint/writes.ts';
import type { Usage } from './endpoint/usage.ts';
import { accountId, region } from './identity.ts';
import type { Mails } from './stand-ins/ses/backend.ts';
import type { Pushes } from './stand-ins/sns/backend.ts';
import { createSts } from './stand-ins/sts/backend.ts';
import type { Logs } from './stand-ins/logs/logs.ts';
import type { Roles } from './stand-ins/iam/roles.ts';
import type { Sessions } from './stand-ins/sts/sessions.ts';

export type LocalCloud = {
  region: string;
  accountId: string;
  endpoints: Record<ServiceName, string>;
  pushes: Pushes;
  mails: Mails;
  faults: Faults;
  calls: CallLog;
  /** To tables. */
  writes: Writes;
  /** To streams of Kinesis. */
  streamWrites: Writes;
  usage: Usage;
  /** What services log of errors. */
  logs: Logs;
  /** Roles of all accounts. */
  roles: Roles;
  sessions: Sessions;
  /** Resolves with a message when an emulator's process ends by itself; never after `close`. */
  crashed: Promise<string>;
  /** As after a freeze of all Lambdas: their connections are gone when they next use them. */
  dropConnections: () => void;
  close: () => Promise<void>;
};

/** The AWS services that we use, on loopback, with faults on demand and a record of every call. */
export async function startLocalCloud(options: LocalCloudOptions): Promise<LocalCloud> {
  const services = new CloudServices(options);
  const started = await Promise.allSettled([
    services.startDynamoDb(),
    services.startKinesis(),
    services.startStorage(),
    services.serve('sns', services.sns.backend),
    services.serve('secretsmanager', services.secrets.backend),
    services.serve('kms', services.kms.backend),
    services.serve('eventbridge', services.eventbridge.backend),
    services.serve('sesv2', services.ses.backend),
    services.serve('sts', createSts(services.roles, services.sessions, options.log)),
  ]);
  const failed = started.find(({ status }) => status === 'rejected');
  if (failed?.status === 'rejected') {
    await services.close();
    throw failed.reason;
  }
  const { faults, calls, writes, streamWrites, usage, logs, roles, sessions, sns, ses, crashed } = services;
  return {
    region,
    accountId,
    endpoints: services.endpoints as Record<ServiceName, string>,
    pushes: sns.pushes,
    mails: ses.mails,
    faults,
    calls,
    writes,
    streamWrites,
    usage,
    logs,
    roles,
    sessions,
    crashed,
    dropConnections: () => services.dropConnections(),
    close: () => services.close(),
  };
}
