import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import * as v from 'valibot';
import type { Database, Surroundings } from './place.ts';

const said = v.object({
  code: v.number(),
  cpuSeconds: v.number(),
  megabytes: v.number(),
  calls: v.record(v.string(), v.number()),
  bytes: v.number(),
  lines: v.number(),
});

export type CommandRow = v.InferOutput<typeof said> & { command: string; seconds: number };

/** Runs commands of the operator, each in its own process. Of a local stack they find the tables only. */
export async function measureCommands(
  commands: readonly string[],
  database: Database,
  surroundings: Surroundings,
): Promise<CommandRow[]> {
  const directory = await mkdtemp(join(tmpdir(), 'omi-bench-'));
  try {
    await writeFile(join(directory, 'stack.json'), JSON.stringify(descriptionOf(database, surroundings)));
    const rows: CommandRow[] = [];
    for (const command of commands) rows.push(await measure(command, directory));
    return rows;
  } finally {
    await rm(directory, { recursive: true });
  }
}

function descriptionOf({ endpoint }: Database, { url }: Surroundings) {
  const tenant = { tenantId: 'none', clientId: 'none', clientSecret: 'none' };
  const services = [
    'cloudwatch',
    'firehose',
    'iam',
    'kms',
    'lambda',
    's3',
    'secretsmanager',
    'sns',
    'sqs',
    'sts',
  ];
  const endpoints = Object.fromEntries(services.map((service) => [service, url]));
  return {
    ...{ baseUrl: url, tokenUrl: url, issuer: url, tenants: [tenant], pid: process.pid },
    aws: { region: 'eu-central-1', endpoints: { ...endpoints, dynamodb: endpoint } },
  };
}

async function measure(command: string, directory: string): Promise<CommandRow> {
  const begun = performance.now();
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['tools/bench/targets/command.ts', '--local', ...command.split(' ')],
    { env: { ...process.env, OMI_STATE: directory } },
  );
  const seconds = (performance.now() - begun) / 1_000;
  return { ...v.parse(v.pipe(v.string(), v.parseJson(), said), stdout), command, seconds };
}
