import { describe, expect, test } from '@jest/globals';
import { Clients } from '../../../cli/deployment/aws-clients.ts';
import type { Deployment } from '../../../cli/deployment/deployment.ts';
import type { Finding } from '../../../cli/doctor/probe.ts';
import { copiesProbe } from '../../../cli/doctor/probes/copies-probe.ts';
import { hours } from '../../../core/kernel/time.ts';
import { startAwsBackup } from '../../support/aws-backup.ts';

type Given = { ages: Record<string, number>; managed?: boolean; partial?: readonly string[] };

/** What doctor finds of two tables whose copies are so many hours old. */
async function findings({ ages, managed = true, partial = [] }: Given): Promise<Finding[]> {
  const backup = await startAwsBackup(async () => await Promise.reject(new Error('Nothing is restored.')));
  backup.managed = managed;
  backup.points = Object.entries(ages).map(([table, age]) => ({
    arn: `arn:aws:backup:eu-west-1:000000000000:recovery-point:${table}`,
    table: `arn:aws:dynamodb:eu-central-1:000000000000:table/${table}`,
    at: Date.now() - age * hours,
    status: partial.includes(table) ? 'PARTIAL' : 'COMPLETED',
  }));
  const region = 'eu-central-1';
  const credentials = { accessKeyId: 'OPERATOR', secretAccessKey: 'local' };
  const clients = new Clients({ region, credentials, endpoints: { backup: backup.url } });
  const deployment = {
    ...{ clients, region, tables: { devices: 'devices-1', events: 'events-1' } },
    copies: async () =>
      await Promise.resolve({ region: 'eu-west-1', vault: 'omi-production-copies', everyHours: 1 }),
  } as unknown as Deployment;
  try {
    return await copiesProbe.check(deployment);
  } finally {
    clients.close();
    await backup.close();
  }
}

const good = { 'devices-1': 1, 'events-1': 2 };

describe('doctor, for the copies in a second region,', () => {
  test('checks nothing if the stage has none', async () => {
    const none = { copies: async () => await Promise.resolve(undefined) } as unknown as Deployment;
    expect(await copiesProbe.check(none)).toEqual([]);
  });

  test('passes with the age of the oldest of the last copies', async () => {
    expect(await findings({ ages: good })).toEqual([
      expect.objectContaining({ ok: true }),
      {
        ...{ subject: 'copies in eu-west-1', ok: true },
        detail: 'the oldest of the last copies is 120 minutes old',
      },
    ]);
  });

  test('finds that copies have stopped, which nothing else tells', async () => {
    expect((await findings({ ages: { ...good, 'events-1': 4 } })).at(-1)).toMatchObject({
      ok: false,
      detail: 'the oldest of the last copies is 240 minutes old',
      fix: expect.stringContaining('aws backup list-copy-jobs') as unknown,
    });
  });

  test('finds a table of which there is no complete copy', async () => {
    expect((await findings({ ages: good, partial: ['devices-1'] })).at(-1)).toMatchObject({
      ok: false,
      detail: 'there is none of devices',
    });
  });

  test('finds that AWS Backup may not copy tables, and says how to change that', async () => {
    expect(await findings({ ages: good, managed: false })).toMatchObject([
      { ok: false, fix: expect.stringContaining('aws backup update-region-settings') as unknown },
      { ok: true },
    ]);
  });
});
