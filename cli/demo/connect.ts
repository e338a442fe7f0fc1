import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { Option } from 'commander';
import { clientUses, type StoredConnection } from '../../pages/bank/lambda/connection.ts';
import { CommandError } from '../command-error.ts';
import { defineCommand } from '../command.ts';
import type { Demo, Deployment } from '../deployment/deployment.ts';
import type { Session } from '../session.ts';
import { profileStoreOf, requireTenant, type StoredProfile } from '../tenants/profile-store.ts';
import { fields } from '../text-table.ts';
import { ConnectionClient } from './connection-client.ts';
import { deleteOthers, ensureClient } from './demo-clients.ts';
import { patientLimits } from '../../core/tenants/patient-limits.ts';
import { defaultSettings } from '../../core/tenants/tenant.ts';

const demoTenant = {
  name: 'Demo bank',
  settings: {
    ...defaultSettings,
    pushLimits: patientLimits,
    showVotes: 'on' as const,
  },
};

type Options = { renew?: true };

export const connectCommand = defineCommand<Options>({
  name: 'connect',
  description:
    'Connects the demo bank to its stage: creates its tenant and its clients if they are missing, and stores their secrets for it. ' +
    'It can be repeated. Everyone who knows the address can then sign in there without a password.',
  options: [new Option('--renew', 'replaces the clients and their secrets')],
  examples: [
    'demo connect --stage staging --region eu-central-1',
    'demo connect --stage staging --region eu-central-1 --renew',
  ],
  run: connect,
});

/** What was done is saved after each step, so that an interrupted command can be run again. */
async function connect(session: Session, { renew }: Options): Promise<void> {
  const deployment = await session.deployment();
  const demo = await requireDemo(deployment);
  const secret = new ConnectionClient(deployment.clients.secrets, demo.secretArn);
  const before = await secret.find();
  const save = async (connection: StoredConnection): Promise<StoredConnection> => {
    if (!isDeepStrictEqual(connection, before)) await secret.save(connection);
    return connection;
  };
  const profile = await ensureTenant(session, deployment, before?.tenantId);
  let connection = await save({
    ...addressesOf(deployment),
    tenantId: profile.tenantId,
    tenantName: profile.name,
    clients: before?.tenantId === profile.tenantId ? before.clients : {},
  });
  for (const use of clientUses) {
    const known = renew ? undefined : connection.clients[use];
    const client = await ensureClient(session, { deployment, profile, use }, known);
    connection = await save({ ...connection, clients: { ...connection.clients, [use]: client } });
    await deleteOthers(session, { deployment, profile, use }, client);
  }
  session.note(
    'Everyone who knows this address can sign in there without a password. It uses the connection within a minute.',
  );
  const result = { url: demo.url, tenantId: profile.tenantId };
  session.print(result, fields({ 'demo bank': demo.url, tenant: profile.tenantId }));
}

async function requireDemo(deployment: Deployment): Promise<Required<Demo>> {
  const { url, secretArn } = (await deployment.demo()) ?? {};
  if (url !== undefined && secretArn !== undefined) return { url, secretArn };
  if (deployment.stage === 'local')
    throw new CommandError(
      'The local stack connects its demo bank itself.',
      '"npm start" prints its address. For a stage in the cloud pass --stage and --region.',
    );
  throw new CommandError(
    `${deployment.name} has no demo bank.`,
    `Deploy it first: npx cdk deploy -c stage=${deployment.stage} -c demo=true omi-${deployment.stage}-demo`,
  );
}

function addressesOf({ name, baseUrl, appUrl, tokenUrl, userPoolId }: Deployment) {
  if (tokenUrl !== undefined && userPoolId !== undefined)
    return { baseUrl, tokenUrl, ...(appUrl !== undefined && { appUrl }) };
  throw new CommandError(
    `${name} has no user pool: its tokens come from your own issuer.`,
    'The demo bank needs clients that the command can create. Deploy it beside a stage with a user pool.',
  );
}

/** The tenant of an earlier connection, unless it was deleted. */
async function ensureTenant(
  session: Session,
  deployment: Deployment,
  known: string | undefined,
): Promise<StoredProfile> {
  const profiles = profileStoreOf(deployment);
  const found = known === undefined ? undefined : await profiles.find(known);
  if (found?.suspendedAt !== undefined && found.deletedAt === undefined)
    throw new CommandError(
      `The tenant ${found.tenantId} of the demo bank is suspended.`,
      `Resume it first: omi tenant resume ${found.tenantId}`,
    );
  if (found && found.deletedAt === undefined) return found;
  const tenantId = randomUUID();
  await profiles.create({ tenantId, ...demoTenant });
  session.note(`tenant ${tenantId} created`);
  return await requireTenant(deployment, tenantId);
}
