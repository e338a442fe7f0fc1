import type { Calls } from './calls.ts';
import { CloudParts } from './cloud-parts.ts';
import type { ServiceName } from './fault-schema.ts';
import type { Faults } from './faults.ts';
import { ACCOUNT_ID, REGION } from './identity.ts';
import type { Pushes } from './sns/backend.ts';
import { createSts } from './sts/backend.ts';
import type { Roles } from './sts/roles.ts';
import type { Sessions } from './sts/sessions.ts';

export type LocalCloudOptions = {
  /** Where everything that can persist does; in memory without it. */
  dataDirectory?: string;
  log: (line: string) => void;
};

export type LocalCloud = {
  region: string;
  accountId: string;
  endpoints: Record<ServiceName, string>;
  pushes: Pushes;
  faults: Faults;
  calls: Calls;
  /** The roles in the tenants' accounts. */
  roles: Roles;
  sessions: Sessions;
  /** Resolves with what happened when an emulator's process ends by itself; never after `close`. */
  crashed: Promise<string>;
  close: () => Promise<void>;
};

/** The part of AWS that the service uses, on loopback, with faults on demand and a record of every call. */
export async function startLocalCloud(options: LocalCloudOptions): Promise<LocalCloud> {
  const parts = new CloudParts(options);
  const started = await Promise.allSettled([
    parts.startDynamoDb(),
    parts.startKinesis(),
    parts.startStorage(),
    parts.front('sns', parts.sns.backend),
    parts.front('sts', createSts(parts.roles, parts.sessions, options.log)),
  ]);
  const failed = started.find(({ status }) => status === 'rejected');
  if (failed?.status === 'rejected') {
    await parts.close();
    throw failed.reason;
  }
  const { faults, calls, roles, sessions, sns, crashed } = parts;
  return {
    region: REGION,
    accountId: ACCOUNT_ID,
    endpoints: parts.endpoints as Record<ServiceName, string>,
    pushes: sns.pushes,
    faults,
    calls,
    roles,
    sessions,
    crashed,
    close: () => parts.close(),
  };
}
