import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { localTables } from '../../local/resources/tables.ts';
import type { Said } from './command.ts';

export type CommandRow = Said & { command: string };

const services = 'cloudwatch firehose iam kms lambda s3 secretsmanager sns sqs sts'.split(' ');

/** Runs commands of the operator, each in its own process. Of a local stack they find the tables only. */
export async function measureCommands(
  commands: readonly string[],
  { dynamodb, others }: { dynamodb: string; others: string },
): Promise<CommandRow[]> {
  const directory = await mkdtemp(join(tmpdir(), 'omi-bench-'));
  const endpoints = Object.fromEntries(services.map((service) => [service, others]));
  const stack = {
    ...{ baseUrl: others, tokenUrl: others, issuer: others, pid: process.pid },
    tenants: [{ tenantId: 'none', clientId: 'none', clientSecret: 'none' }],
    aws: { region: 'eu-central-1', endpoints: { ...endpoints, dynamodb } },
    tables: localTables,
  };
  try {
    await writeFile(join(directory, 'stack.json'), JSON.stringify(stack));
    const rows: CommandRow[] = [];
    for (const command of commands) {
      const args = ['tools/bench/targets/command.ts', '--local', ...command.split(' ')];
      const env = { ...process.env, OMI_STATE: directory };
      const { stdout } = await promisify(execFile)(process.execPath, args, { env });
      rows.push({ command, ...(JSON.parse(stdout) as Said) });
    }
    return rows;
  } finally {
    await rm(directory, { recursive: true });
  }
}
