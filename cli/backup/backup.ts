import * as v from 'valibot';
import type { Item } from '../../core/aws/dynamodb-client.ts';
import { VapidKeyStore } from '../../core/devices/push/vapid-key-store.ts';
import { vapidKey } from '../../core/devices/push/vapid-key.ts';
import { rfc3339 } from '../../core/kernel/time.ts';
import { clientStoreOf } from '../clients/client-store.ts';
import { CommandError } from '../command-error.ts';
import type { Deployment } from '../deployment/deployment.ts';

/** The parts of a stage that the backups of its tables do not contain. */
const backup = v.object({
  format: v.literal('omi-backup-1'),
  stage: v.string(),
  region: v.string(),
  baseUrl: v.string(),
  takenAt: v.string(),
  /** The items of all clients: names, scopes, keys, and of secrets only hashes, or what the stage's KMS key sealed. */
  clients: v.array(v.looseObject({ pk: v.string(), sk: v.string() })),
  /** The private key that signs web pushes. Missing if the stage has none. */
  webPushKey: v.nullable(vapidKey),
  /** Those of the stage in `cdk.json`. Missing if the command ran in another folder. */
  settings: v.nullable(v.record(v.string(), v.unknown())),
});
export type Backup = v.InferOutput<typeof backup>;

export async function takeBackup(deployment: Deployment, settings: Backup['settings']): Promise<Backup> {
  const { stage, region, baseUrl } = deployment;
  // Before the items are read: what is made meanwhile may be missing.
  const takenAt = rfc3339(Date.now());
  const items: Item[] = await clientStoreOf(deployment).items();
  return {
    ...{ format: 'omi-backup-1', stage, region, baseUrl, takenAt },
    clients: items.map((item) => ({ ...item, pk: String(item['pk']), sk: String(item['sk']) })),
    webPushKey: (await webPushKeyStoreOf(deployment).find()) ?? null,
    settings,
  };
}

export const webPushKeyStoreOf = ({ clients, webPushSecretId }: Deployment): VapidKeyStore =>
  new VapidKeyStore(clients.secrets, webPushSecretId());

/** @throws {CommandError} whose message does not quote the text */
export function parseBackup(text: string, { stage, region }: Deployment): Backup {
  const result = v.safeParse(v.pipe(v.string(), v.parseJson(), backup), text);
  if (!result.success) throw new CommandError('The object is not a backup of this version of omi.');
  const { output } = result;
  if (output.stage !== stage || output.region !== region)
    throw new CommandError(`The backup is one of omi-${output.stage} in ${output.region}.`);
  return output;
}
