import * as v from 'valibot';
import { topCommand } from '../command.ts';
import { CommandError } from '../command-error.ts';
import { readStages } from '../deployment/stage-settings.ts';
import type { Session } from '../session.ts';
import { BackupBucket, type BackupPlace, placeOption } from './backup-client.ts';
import { type Backup, takeBackup } from './backup.ts';

type Options = { to: BackupPlace };

export const backupCommand = topCommand<Options>({
  options: [
    placeOption(
      '--to <place>',
      'a bucket of yours, which keeps versions, encrypts and is not public',
    ).makeOptionMandatory(),
  ],
  examples: [
    'backup --to s3://example-omi-backups',
    'backup --to s3://example-omi-backups/omi --stage production',
  ],
  run: takeAndWrite,
});

async function takeAndWrite(session: Session, { to }: Options): Promise<void> {
  const deployment = await session.deployment();
  const bucket = new BackupBucket(deployment.clients.s3, to, deployment);
  // The local stack's buckets have none of these settings, and it has none itself.
  if (deployment.hasAccount) await bucket.require();
  const settings = deployment.hasAccount ? await settingsHere(session, deployment.stage) : null;
  const backup = await takeBackup(deployment, settings);
  const version = await bucket.write(JSON.stringify(backup));
  const counts = {
    clients: backup.clients.filter(({ sk }) => sk === 'client').length,
    webPushKey: backup.webPushKey !== null,
    settings: settings !== null,
  };
  session.print(
    { url: bucket.url, ...(version !== undefined && { version }), ...counts },
    `Wrote ${bucket.url}: ${counts.clients === 1 ? '1 client' : `${counts.clients} clients`}, ${counts.webPushKey ? 'the key of web pushes' : 'no key of web pushes'}, ${counts.settings ? 'the settings' : 'no settings'}.\n` +
      'The backup contains a private key. Restrict access to the bucket.',
  );
}

const ofStages = v.record(v.string(), v.record(v.string(), v.unknown()));

async function settingsHere(session: Session, stage: string): Promise<Backup['settings']> {
  try {
    const found = v.safeParse(ofStages, await readStages());
    const settings = found.success ? found.output[stage] : undefined;
    if (settings) return settings;
    session.note(`cdk.json has no settings of the stage ${stage}: the backup has none.`);
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    session.note(`${error.message} The backup has no settings.`);
  }
  return null;
}
