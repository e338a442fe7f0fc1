/** What a restore must notice while others work on the same stage. */
import type { TableDescription } from '@aws-sdk/client-dynamodb';
import { BackupClient } from '@aws-sdk/client-backup';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { Clients } from '../../cli/deployment/aws-clients.ts';
import { copiedStage } from '../../cli/deployment/cloud-client.ts';
import type { Deployment } from '../../cli/deployment/deployment.ts';
import { carryOut } from '../../cli/restore/carry-out.ts';
import { finish } from '../../cli/restore/finish.ts';
import { RestoreJobs } from '../../cli/restore/restore-jobs-client.ts';
import { RestoringTables } from '../../cli/restore/table-client.ts';
import { Session } from '../../cli/session.ts';
import { type AwsBackup, startAwsBackup } from '../support/aws-backup.ts';
import { type DeployedStack, serveControlPlane } from './control-plane.ts';
import { omi } from './omi.ts';

const [here, there] = ['eu-central-1', 'eu-west-1'] as const;
process.env['AWS_ACCESS_KEY_ID'] = 'OPERATOR';
process.env['AWS_SECRET_ACCESS_KEY'] = 'local';

const session = new Session(
  { out: () => undefined, err: () => undefined, environment: {} },
  { stage: 'dev' },
);

test('a table that was there and is gone ends the restore, which would wait for it without end', async () => {
  const seen: (TableDescription | undefined)[] = [undefined, { TableStatus: 'CREATING' }, undefined];
  class VanishingTables extends RestoringTables {
    override async find(): Promise<TableDescription | undefined> {
      if (seen.length === 0) throw new Error('It was asked again.');
      return await Promise.resolve(seen.shift());
    }
  }
  const tables = new VanishingTables(new DynamoDBClient({ region: there }));
  const plan = [{ name: 'devices' as const, restored: 'devices-at-1', isBegun: false }];
  const begin = async (): Promise<void> => await Promise.resolve();
  await expect(carryOut(session, { tables, stage: 'dev' }, plan, begin)).rejects.toThrow(
    'The table devices-at-1 is gone',
  );
});

describe('a job that restores a copy', () => {
  const copy = { arn: 'arn:aws:backup:copy', table: 'devices', at: 0 };
  let backup: AwsBackup;
  let jobs: RestoreJobs;
  let works = true;

  beforeAll(async () => {
    backup = await startAwsBackup(async () => {
      await (works ? Promise.resolve() : Promise.reject(new Error('The table limit is exceeded.')));
    });
    backup.points.push(copy);
    jobs = new RestoreJobs(new BackupClient({ region: there, endpoint: backup.url }), 'role');
  });
  beforeEach(() => void (works = true));
  afterAll(async () => await backup.close());

  const absent = async (): Promise<boolean> => await Promise.resolve(false);
  const restore = async (): Promise<void> =>
    await jobs.untilMade((await jobs.start(copy, 'devices-at-1', absent)) ?? '', 'devices-at-1');

  test('is followed by another one if it has failed, or if the table that it made is deleted', async () => {
    works = false;
    await expect(restore()).rejects.toThrow('AWS Backup could not restore devices-at-1');
    works = true;
    await restore();
    await restore();
    expect(backup.jobs.map(({ status }) => status)).toEqual(['FAILED', 'COMPLETED', 'COMPLETED']);
  });
});

describe('a stage in the region of its copies, where its data stack has no outputs,', () => {
  const stack: DeployedStack = {
    ...{ name: 'omi-dev', outputs: {}, copies: { LostRegion: here, CopiesVault: 'vault' } },
    ...{ mappings: {}, alarms: [], deletedAlarms: [], applications: [] },
  };
  let close: () => Promise<void>;

  beforeAll(async () => {
    const plane = await serveControlPlane(stack);
    ({ close } = plane);
    process.env['AWS_ENDPOINT_URL_CLOUDFORMATION'] = plane.url;
  });
  afterAll(async () => await close());

  test('is not deployed', async () => {
    const clients = new Clients({ region: there });
    expect(await copiedStage(clients, 'dev', there)).toMatchObject({ of: here, deployed: undefined });
    clients.close();
  });

  test.each([
    ['--client', ['--client', 'a-client'], 2, '--client is for the run after the deployment'],
    ['--table', ['--table', 'devices'], 2, '--table is only for --at'],
    ['its own region', ['--region', here], 2, '--region names the region with the copies'],
    ['another region than that of the copies', ['--lost-region', 'us-east-1'], 1, `omi-dev in ${here}`],
    ['a stage without copies', ['--stage', 'staging'], 1, 'There are no copies of omi-staging'],
  ])('refuses %s', async (_, more, code, told) => {
    const command = ['--stage', 'dev', '--region', there, 'restore', '--lost-region', here, '--yes'];
    expect(await omi([...command, ...more])).toMatchObject({ code, err: expect.stringContaining(told) });
  });

  test('is not called unreachable if no region is lost', async () => {
    const command = ['--stage', 'dev', 'restore', '--unreachable', '--at', '2026-03-01T08:30:00Z'];
    expect(await omi(command)).toMatchObject({
      code: 2,
      err: expect.stringContaining('--unreachable is only for --lost-region'),
    });
  });
});

test('clients are brought back only with the table tenants, or a backup', async () => {
  const names = ['devices'] as const;
  const chosen = {
    names,
    at: 0,
    backup: undefined,
    clients: ['a-client'],
    dryRun: undefined,
    yes: true as const,
  };
  await expect(finish(session, {} as Deployment, chosen)).rejects.toThrow('--client needs --from');
});
