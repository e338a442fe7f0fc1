import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { Agent, type AgentOptions } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import {
  CreateStreamCommand,
  GetRecordsCommand,
  GetShardIteratorCommand,
  KinesisClient,
  PutRecordsCommand,
  waitUntilStreamExists,
} from '@aws-sdk/client-kinesis';
import { NodeHttpHandler } from '@smithy/node-http-handler';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { startKinesis } from '../../../../../tools/local/aws/emulators/kinesis-local/start.ts';
import { clientOf } from '../clients.ts';

const startFile = join(
  import.meta.dirname,
  '../../../../../tools/local/aws/emulators/kinesis-local/start.ts',
);
const StreamName = 'events';

/** Of records. The emulator takes its time for the many bytes. */
const [count, size] = [20, 50_000];

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'omi-kinesis-'));
});
afterEach(async () => await rm(folder, { recursive: true, force: true }));

function connect(socketPath = ''): KinesisClient {
  const agent: AgentOptions & { socketPath: string } = { socketPath, keepAlive: true };
  const requestHandler = new NodeHttpHandler({ httpAgent: new Agent(agent) });
  return new KinesisClient({ ...clientOf('http://127.0.0.1'), requestHandler });
}

/** An emulator whose data outlive it, run by a process that can be killed. */
async function startInParent() {
  const program = `const { startKinesis } = await import(${JSON.stringify(startFile)});
    process.stdout.write((await startKinesis(${JSON.stringify(folder)})).socketPath);`;
  const parent = spawn(process.execPath, ['--input-type=module', '-e', program]);
  const [socketPath] = (await once(parent.stdout, 'data')) as [Buffer];
  const client = connect(socketPath.toString());
  await client.send(new CreateStreamCommand({ StreamName, ShardCount: 1 }));
  await waitUntilStreamExists({ client, minDelay: 1, maxDelay: 1, maxWaitTime: 60 }, { StreamName });
  return { parent, client };
}

async function put(client: KinesisClient): Promise<void> {
  const Records = Array.from({ length: count }, () => ({ Data: Buffer.alloc(size), PartitionKey: 'a' }));
  const { FailedRecordCount } = await client.send(new PutRecordsCommand({ StreamName, Records }));
  expect(FailedRecordCount).toBe(0);
}

async function recordsIn(client: KinesisClient): Promise<number> {
  const at = { StreamName, ShardId: 'shardId-000000000000', ShardIteratorType: 'TRIM_HORIZON' } as const;
  let { ShardIterator } = await client.send(new GetShardIteratorCommand(at));
  for (let found = 0; ;) {
    const page = await client.send(new GetRecordsCommand({ ShardIterator }));
    if (page.Records?.length === 0) return found;
    found += page.Records?.length ?? 0;
    ShardIterator = page.NextShardIterator;
  }
}

test('records survive when the parent is killed right after they were accepted', async () => {
  const { parent, client } = await startInParent();
  await put(client);
  parent.kill('SIGKILL');
  client.destroy();
  const next = await startKinesis(folder);
  const again = connect(next.socketPath);
  expect(await recordsIn(again)).toBe(count);
  again.destroy();
  await next.close();
});

test('the data file is complete at any moment', async () => {
  const { parent, client } = await startInParent();
  await put(client);
  const file = join(folder, 'kinesis-data.json');
  const holdsAll = (): boolean => {
    const text = readFileSync(file, 'utf8');
    JSON.parse(text);
    return text.length > count * size;
  };
  while (!holdsAll()) await wait(5);
  // Two more rounds of its writing.
  const end = Date.now() + 2_500;
  while (Date.now() < end) {
    expect(holdsAll()).toBe(true);
    await wait(1);
  }
  parent.kill('SIGKILL');
  client.destroy();
  // Waits for the end of the one before.
  await (await startKinesis(folder)).close();
});

test('the lock of a killed emulator is ignored even if another process has its id', async () => {
  await writeFile(join(folder, 'lock.json'), JSON.stringify({ pid: process.pid, port: 1 }));
  await (await startKinesis(folder)).close();
});
