import type { Backup } from '../backup/backup.ts';
import type { TenantClient } from '../clients/tenant-client.ts';
import { CommandError, UsageError } from '../command-error.ts';
import type { Deployment } from '../deployment/deployment.ts';
import type { Session } from '../session.ts';
import { bringBack, type Remade } from './bring-back.ts';
import { isLackedByPool, lostParts, type LostParts, type Undecided } from './lost-parts.ts';

export type Restored = {
  dryRun?: true;
  /** When the backup was taken. */
  backup?: string;
  clients: {
    restored: string[];
    remade: Remade[];
    /** Their secrets are those of the user pool again. */
    secrets: string[];
    /** Only the user pool knows a secret of theirs. */
    unknownSecrets: string[];
    undecided: { clientId: string; tenantId: string; name?: string; missing: Undecided['missing'] }[];
  };
  webPushKey?: LostParts['webPushKey'] | 'restored';
  settings?: Backup['settings'];
};

export type Chosen = {
  backup: Backup | undefined;
  /** Ids of undecided clients that are to come back. */
  clients: readonly string[];
  /** The stage has another user pool than before. */
  isNewPool?: boolean;
  dryRun: true | undefined;
  yes: true | undefined;
};

/** What is to be done, after a question. */
export type Plan = { lost: LostParts; chosen: Undecided[] };

/**
 * @throws {UsageError} if there is nothing to decide about a named client
 * @throws {CommandError} if the user pool is another one, and the operator has not decided about each client: their secrets would end
 */
export async function planOthers(
  session: Session,
  deployment: Deployment,
  { backup, clients, isNewPool = false, dryRun, yes }: Chosen,
): Promise<Plan> {
  const lost = await lostParts(deployment, { backup, isNewPool }, (line) => session.note(line));
  const chosen = clients.map((id) => {
    const found = lost.undecided.find(({ client }) => client.clientId === id);
    if (found) return found;
    throw new UsageError(
      `There is nothing to decide about the client ${id}. "--dry-run" lists those of which there is.`,
    );
  });
  if (!dryRun) requireDecisions(lost, chosen);
  if (backup) {
    const count = new Set(backup.clients.map(({ pk }) => pk)).size;
    session.note(`The backup was taken at ${backup.takenAt}, and has ${count} clients.`);
  }
  const lines = [
    ...lost.clients.map(({ client }) => `${described(client)} comes back from the backup.`),
    ...chosen.map(lineOf),
    ...(lost.webPushKey === 'lost' ? ['The key of web pushes comes back from the backup.'] : []),
  ];
  for (const line of lines) session.note(line);
  if (lines.length > 0 && !dryRun) await session.confirm('Do this?', yes);
  return { lost, chosen };
}

function requireDecisions({ strangePool, undecided }: LostParts, chosen: readonly Undecided[]): void {
  if (strangePool === undefined) return;
  const open = undecided.filter((its) => its.missing === 'in the user pool' && !chosen.includes(its));
  if (open.length === 0) return;
  const [one] = open;
  throw new CommandError(
    `The user pool ${strangePool} lacks clients of the stage: it is another one than before, or was emptied. No secret was ended, and no client made.`,
    `Name the clients that get another id and other secrets, as in "--client ${one?.client.clientId}", and delete the others with "omi client delete". ${open.length} are not decided; "--dry-run" lists them.`,
  );
}

const described = ({ clientId, name = '', tenantId, scopes = [] }: TenantClient): string =>
  `${clientId} ${name} of tenant ${tenantId} with the scopes ${scopes.join(' ') || 'of its issuer'}`;

const lineOf = ({ missing, client }: Undecided): string =>
  ({
    'in the user pool': `${described(client)} gets another id and another secret.`,
    'in the user pool and the table': `${described(client)} gets another id and another secret.`,
    'in the table': `${described(client)} comes back from the backup.`,
    'the keys in the backup': `${described(client)} gets the keys in the backup.`,
  })[missing];

/** Secrets that the user pool does not accept end without a question. */
export async function restoreOthers(
  session: Session,
  deployment: Deployment,
  { plan: { lost, chosen }, backup, dryRun }: Pick<Chosen, 'backup' | 'dryRun'> & { plan: Plan },
): Promise<Restored> {
  const made: Remade[] = [];
  try {
    if (!dryRun) await bringBack(deployment, lost, { backup, chosen, made });
  } catch (error) {
    if (made.length > 0) session.print(made, made.map(describeRemade).join('\n'));
    throw error;
  }
  const fromBackup = chosen.filter((its) => !isLackedByPool(its));
  return {
    ...(dryRun && { dryRun }),
    ...(backup && { backup: backup.takenAt }),
    clients: {
      restored: idsOf([...lost.clients, ...fromBackup].map(({ client }) => client)),
      remade: made,
      secrets: idsOf(lost.secrets.map(({ client }) => client)),
      unknownSecrets: idsOf(lost.unknownSecrets),
      undecided: lost.undecided.flatMap((its) => (chosen.includes(its) ? [] : [viewOf(its)])),
    },
    ...(backup && {
      webPushKey: lost.webPushKey === 'lost' && !dryRun ? ('restored' as const) : lost.webPushKey,
      settings: backup.settings,
    }),
  };
}

const idsOf = (clients: readonly TenantClient[]): string[] => [
  ...new Set(clients.map(({ clientId }) => clientId)),
];

const viewOf = ({
  missing,
  client: { clientId, tenantId, name },
}: Undecided): Restored['clients']['undecided'][number] => ({
  ...{ clientId, tenantId, missing },
  ...(name !== undefined && { name }),
});

const keyTexts: Partial<Record<NonNullable<Restored['webPushKey']>, string>> = {
  restored: 'The key of web pushes is that of the backup.',
  another:
    'Neither the secret nor the backup has the key of web pushes with which the stage was deployed. Deploy it with another webPush.keyRevision: web devices get pushes again when their app was opened.',
  deleted:
    'The secret of the key of web pushes is deleted. Restore it with "aws secretsmanager restore-secret", and run the command again.',
  unknown: 'The API does not answer, so nothing was done with the key of web pushes. Run the command again.',
};

export function describeRestored({ dryRun, clients, webPushKey, settings }: Restored): string {
  const { restored, secrets, remade, unknownSecrets, undecided } = clients;
  const lines = [
    dryRun && 'Nothing was done. This is what the command does:',
    restored.length > 0 && `Clients from the backup: ${restored.join(', ')}.`,
    secrets.length > 0 && `Clients whose valid secrets are those of the user pool: ${secrets.join(', ')}.`,
    unknownSecrets.length > 0 &&
      `Clients with a secret that only the user pool knows, so CIBA refuses it: ${unknownSecrets.join(', ')}. Give them another one with "omi client rotate".`,
    ...remade.map(describeRemade),
    ...undecided.map(describeUndecided),
    webPushKey && keyTexts[webPushKey],
    settings && `The settings in the backup:\n${JSON.stringify(settings, null, 2)}`,
  ];
  return lines.filter((line) => typeof line === 'string').join('\n') || 'Nothing else was lost.';
}

function describeUndecided({ clientId, tenantId, name = '', missing }: ReturnType<typeof viewOf>): string {
  const [who, option] = [`${clientId} ${name} of tenant ${tenantId}`, `"--client ${clientId}"`];
  if (missing === 'the keys in the backup')
    return `${who} has other keys than in the backup. ${option} takes those.`;
  if (missing === 'in the user pool and the table')
    return `${who} is in the backup alone: it was lost, or deleted since. ${option} brings it back.`;
  return `${who} is not ${missing}: it was lost, or deleted since. ${option} brings it back; "omi client delete ${clientId}" removes the rest.`;
}

const describeRemade = ({ tenantId, name, formerClientId, ...made }: Remade): string =>
  [
    `${name} of tenant ${tenantId}: ${formerClientId} is now ${made.clientId}. Save the secrets for the website. They cannot be shown again.`,
    made.clientSecret === undefined
      ? `  An interrupted run made it. Its secrets: omi client rotate ${made.clientId}`
      : `  secret: ${made.clientSecret}`,
    ...(made.callbackSecret === undefined ? [] : [`  callback secret: ${made.callbackSecret}`]),
  ].join('\n');
