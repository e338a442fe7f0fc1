import type { Backup } from '../backup/backup.ts';
import type { Deployment } from '../deployment/deployment.ts';
import type { Session } from '../session.ts';
import { recover, type Remade } from './recover.ts';
import { type Recovery, recoveryOf } from './recovery.ts';

export type Recovered = {
  clients: {
    back: string[];
    deleted: string[];
    rotated: string[];
    remade: Remade[];
    /** Those that stay without an entry in the user pool, because there was no backup. */
    lost: string[];
  };
  webPushKey?: Recovery['webPushKey'];
  settings?: Backup['settings'];
};

type Chosen = {
  backup: Backup | undefined;
  at?: number;
  dryRun: true | undefined;
  yes: true | undefined;
};

/**
 * Brings back what the tables' backups lack. Secrets that were revoked since the moment end without a question; all else needs a
 * backup, and an answer.
 */
export async function recoverOthers(
  session: Session,
  deployment: Deployment,
  { backup, at, dryRun, yes }: Chosen,
): Promise<Recovered> {
  const found = await recoveryOf(deployment, { backup, at });
  const recovery = backup ? found : { ...found, lost: [] };
  const questions = linesOf(recovery);
  for (const line of questions) session.note(line);
  if (questions.length > 0 && !dryRun) await session.confirm('Do this?', yes);
  const remade = dryRun ? [] : await recover(deployment, recovery, backup);
  return {
    clients: {
      back: idsOf(recovery.back.map(({ client }) => client)),
      deleted: idsOf(recovery.deleted),
      rotated: idsOf(recovery.rotated.map(({ client }) => client)),
      remade,
      lost: backup && !dryRun ? [] : idsOf(found.lost),
    },
    ...(backup && { webPushKey: recovery.webPushKey, settings: backup.settings }),
  };
}

const idsOf = (clients: readonly { clientId: string }[]): string[] => clients.map(({ clientId }) => clientId);

const linesOf = ({ back, deleted, lost, webPushKey }: Recovery): string[] => [
  ...back.map(({ client }) => `${client.clientId} ${client.name ?? ''} comes back from the backup.`),
  ...deleted.map(
    ({ clientId, name }) => `${clientId} ${name ?? ''} was deleted since, and is deleted again.`,
  ),
  ...lost.map(
    ({ clientId, name }) => `${clientId} ${name} is not in the user pool, and gets another id and secret.`,
  ),
  ...(webPushKey === 'back' ? ['The key of web pushes comes back from the backup.'] : []),
];

export function describeRecovered({ clients, webPushKey, settings }: Recovered): string {
  const { back, deleted, rotated, remade, lost } = clients;
  const lines = [
    back.length > 0 && `Clients from the backup: ${back.join(', ')}.`,
    deleted.length > 0 && `Clients that were deleted again: ${deleted.join(', ')}.`,
    rotated.length > 0 && `Clients whose secrets are those of the user pool alone: ${rotated.join(', ')}.`,
    ...remade.map(describeRemade),
    lost.length > 0 &&
      `Clients that are not in the user pool: ${lost.join(', ')}. "--from" with a backup makes them anew.`,
    webPushKey === 'back' && 'The key of web pushes is that of the backup.',
    webPushKey === 'another' &&
      'The stage was deployed with another key of web pushes than it and the backup have. Deploy it with another webPush.keyRevision: web devices get pushes again when their app was opened.',
    settings && `The settings of then:\n${JSON.stringify(settings, null, 2)}`,
  ];
  return lines.filter((line) => typeof line === 'string').join('\n') || 'Nothing else was lost.';
}

const describeRemade = ({ tenantId, name, formerClientId, ...made }: Remade): string =>
  [
    `${name} of ${tenantId}: ${formerClientId} is now ${made.clientId}. Save the secrets for the website. They cannot be shown again.`,
    made.clientSecret === undefined
      ? `  An interrupted run made it: omi client rotate ${made.clientId}`
      : `  secret: ${made.clientSecret}`,
    ...(made.callbackSecret === undefined ? [] : [`  call-back secret: ${made.callbackSecret}`]),
  ].join('\n');
