/** The verifier in Go, which shares no code with the service: what it finds in a copy, and in a log. */
import { execFile, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { originOf, signedCheckpoint } from '../../core/export/log/checkpoint.ts';
import { findLog } from '../../core/export/log/find-log.ts';
import { rootOfTree } from '../../core/export/log/growing-tree.ts';
import { type LeavesView, listLeaves, listMinutes } from '../../core/export/log/list-minutes.ts';
import { logKeys } from '../../core/export/log/log-keys.ts';
import { leafHash } from '../../core/export/log/merkle-tree.ts';
import { proveConsistency, proveInclusion } from '../../core/export/log/prove.ts';
import type { PublicEvent } from '../../core/events/event.ts';
import { checkpointOf } from '../../core/export/log/served-checkpoint.ts';
import { Refusal } from '../../core/kernel/refusal.ts';
import { minutes, seconds } from '../../core/kernel/time.ts';
import { LogWorld, newLogKey } from '../support/log-world.ts';

/** Where Debian's package golang-golang-x-mod-dev has the sources. */
const goPath = '/usr/share/gocode';
const isInstalled =
  spawnSync('go', ['list', 'golang.org/x/mod/sumdb/tlog'], {
    env: { ...process.env, GOPATH: goPath, GO111MODULE: 'off' },
  }).status === 0;

const folder = mkdtempSync(join(tmpdir(), 'omi-go-'));
const program = join(folder, 'verify_log');
const start = Date.UTC(2026, 10, 12, 9);
const signing = newLogKey();

let world: LogWorld;
let server: Server;
let base: string;
let texts: string[];
/** The size and root that are served in place of the log's own. */
let shown: { size: number; root: Uint8Array } | undefined;
/** Of the leaves, only the hashes are served. */
let isErased = false;

const signed = async (size: number, root: Uint8Array): Promise<string> => {
  const body = { origin: originOf(base, world.ref(), 1), size, root };
  return await signedCheckpoint(body, signing.key);
};

/** The service's answers, without its tokens. `undefined` is a 404. */
async function answer(url: URL): Promise<unknown> {
  if (url.pathname === '/.well-known/omi-keys') return { keys: [signing.published] };
  try {
    return await ofLog(url);
  } catch (error) {
    if (error instanceof Refusal && error.code === 'not-in-log') return undefined;
    throw error;
  }
}

async function ofLog(url: URL): Promise<unknown> {
  const query = Object.fromEntries(url.searchParams);
  const { from = '', to = '' } = query;
  const generation = 'generation' in query ? Number(query['generation']) : undefined;
  const path = url.pathname.replace('/omi/exports/public/log', '');
  if (path === '/checkpoint') {
    if (shown) return await signed(shown.size, shown.root);
    const deps = { logs: world.logs, key: signing.key, baseUrl: base };
    return (await checkpointOf(deps, world.ref(), generation)).signed.text;
  }
  const head = await findLog(world.logs, world.ref(), generation);
  if (path === '/proofs/consistency')
    return await proveConsistency(world.proofs, head, { from: Number(from), to: Number(to) });
  if (path === '/proofs/inclusion') {
    const { eventId = '', aggregateId = '', size } = query;
    return await proveInclusion(
      world.proofs,
      head,
      { category: 'public', eventId, aggregateId },
      Number(size),
    );
  }
  if (path === '/minutes') {
    const range = { from: Date.parse(from), to: Date.parse(to) };
    return { minutes: await listMinutes(world, head, range) };
  }
  const page = await listLeaves(world, head, decodeURIComponent(path.replace('/minutes/', '')), 0);
  return isErased ? withoutIds(page) : page;
}

const withoutIds = ({ leaves }: LeavesView): LeavesView => ({
  leaves: [],
  erased: leaves.map((leaf, leafIndex) => {
    return { leafIndex, hash: leafHash(Buffer.from(leaf.replace(' ', '\n'))).toString('base64') };
  }),
});

beforeAll(async () => {
  if (!isInstalled) return;
  const source = resolve('docs/examples/go/verify_log.go');
  const env = { ...process.env, GOPATH: goPath, GO111MODULE: 'off', GOCACHE: join(tmpdir(), 'omi-go-cache') };
  const built = spawnSync('go', ['build', '-o', program, source], { env, encoding: 'utf8' });
  if (built.status !== 0) throw new Error(built.stderr);
  world = await LogWorld.start(signing);
  server = createServer((request, response) => {
    void answer(new URL(request.url ?? '', base)).then((body) => {
      response.statusCode = body === undefined ? 404 : 200;
      response.end(typeof body === 'string' ? body : JSON.stringify(body));
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  texts = [];
  for (const position of [0, 1, 2, 3, 4]) {
    const events = [at(position), at(position), at(position)];
    await world.accept(events, start + position * minutes);
    await world.close(start + (position + 1) * minutes + 20 * seconds);
    texts.push(...events.map((event) => JSON.stringify(event)));
  }
});
afterAll(() => {
  if (isInstalled) server.close();
});

/** An event of a minute after the start. */
function at(position: number): PublicEvent {
  const event = world.event();
  event.metadata.occurredTime = new Date(start + position * minutes).toISOString();
  return event;
}

/** What the program prints, without the checkpoint. */
async function found(
  copy: readonly string[],
  kept: readonly string[] = [],
  to = '2026-11-12T10:00:00Z',
): Promise<string[]> {
  const file = join(folder, 'events.jsonl');
  writeFileSync(file, `${copy.join('\n')}\n`);
  const checkpoints = kept.flatMap((text, index) => {
    const name = join(folder, `checkpoint-${index}`);
    writeFileSync(name, text);
    return ['-kept', name];
  });
  const range = ['-from', '2026-11-12T09:00:00Z', '-to', to];
  const args = ['-base', base, '-tenant', world.tenantId, ...range, ...checkpoints, file];
  const output = await new Promise<string>((done) => {
    execFile(program, args, (_, stdout, stderr) => {
      done(stdout + stderr);
    });
  });
  return (output.split('127.0.0.1:')[0] ?? '').split('\n').filter((line) => line !== '');
}

const idOf = (text: string | undefined): string =>
  (JSON.parse(text ?? '{}') as { metadata: { eventId: string } }).metadata.eventId;

(isInstalled ? describe : describe.skip)('the verifier in Go (skipped where Go is not installed)', () => {
  test('finds nothing if nothing was changed, also with an earlier checkpoint', async () => {
    const { log } = await world.logs.head(world.ref());
    const [root] = await world.logs.nodes(log, [{ level: 2, index: 0 }]);
    expect(await found(texts, [await signed(4, root ?? Buffer.alloc(32))])).toEqual([]);
  });

  test('finds an edited, a removed and an added event', async () => {
    const added = JSON.stringify(at(1));
    const copy = [(texts[0] ?? '').replace('anna', 'mallory'), ...texts.slice(2), added];
    expect((await found(copy)).toSorted()).toEqual([
      `added ${idOf(added)}`,
      `edited ${idOf(texts[0])}`,
      `removed ${idOf(texts[1])}`,
    ]);
  });

  test('looks for no event of another time, tenant or category, and none that tells the state of the log', async () => {
    const { metadata, payload } = at(1);
    const others = [
      at(-1),
      at(60),
      { metadata: { ...metadata, tenantId: world.another().tenantId }, payload },
      { metadata: { ...metadata, category: 'log' }, payload },
      { metadata: { ...metadata, type: 'CheckpointEvent' }, payload: { category: 'log', checkpoint: 'x' } },
    ];
    expect(await found([...texts, ...others.map((event) => JSON.stringify(event))])).toEqual([]);
  });

  test('counts events that are too new for the log, which are not added ones', async () => {
    const event = at(0);
    event.metadata.occurredTime = new Date().toISOString();
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString();
    const told = await found([...texts, JSON.stringify(event)], [], tomorrow);
    expect(told).toEqual(['open 1, which the log does not have yet']);
  });

  test('finds events elsewhere whose producer told another time, and edited ones of them', async () => {
    const late = at(2);
    await world.accept([late], start + 90 * minutes);
    await world.close(start + 91 * minutes + 20 * seconds);
    const text = JSON.stringify(late);
    expect(await found([...texts, text])).toEqual([]);
    const edited = text.replace('anna', 'mallory');
    expect(await found([...texts, edited])).toEqual([`edited ${idOf(text)}`]);
  });

  test('counts erased events that the copy lacks, and finds an added one', async () => {
    isErased = true;
    const added = JSON.stringify(at(1));
    expect(await found([...texts, added])).toEqual([`added ${idOf(added)}`]);
    expect(await found(texts.slice(1))).toEqual(['erased 1, which is no fault']);
    isErased = false;
  });

  test('finds a rollback and a split view between two readers', async () => {
    const { tree, log } = await world.logs.head(world.ref());
    const whole = await signed(tree.size, rootOfTree(tree));
    const [root = Buffer.alloc(32)] = await world.logs.nodes(log, [{ level: 1, index: 0 }]);
    shown = { size: 2, root };
    expect(await found(texts.slice(0, 6), [whole])).toEqual([
      'rolled-back from 6 to 2',
      ...(await found(texts.slice(0, 6))),
    ]);
    shown = undefined;
    expect(await found(texts, [await signed(3, Buffer.alloc(32, 7))])).toEqual(['split-view at 3']);
    expect(await found(texts, [await signed(6, Buffer.alloc(32, 7))])).toEqual(['split-view at 6']);
  });

  test('compares with the checkpoints among the events', async () => {
    const { metadata } = at(1);
    const event = (checkpoint: string): string =>
      JSON.stringify({
        metadata: { ...metadata, category: 'log', type: 'CheckpointEvent' },
        payload: { category: 'public', checkpoint },
      });
    expect(await found([...texts, event(await signed(3, Buffer.alloc(32, 7)))])).toEqual(['split-view at 3']);
  });

  test('follows the log over a restore, and finds what was changed before it', async () => {
    const { tree, log } = await world.logs.head(world.ref());
    const whole = await signed(tree.size, rootOfTree(tree));
    const [root = Buffer.alloc(32)] = await world.logs.nodes(log, [{ level: 1, index: 0 }]);
    await world.restore();
    await answer(new URL('/omi/exports/public/log/checkpoint', base));
    const event = at(55);
    await world.accept([event], start + 100 * minutes);
    await world.close(start + 101 * minutes + 20 * seconds);
    const copy = [...texts, JSON.stringify(event)];
    expect(await found(copy, [whole, await signed(2, root)])).toEqual([]);
    expect(await found(copy, [await signed(tree.size + 1, root)])).toEqual(['rolled-back from 7 to 6']);
    const edited = copy.with(0, (texts[0] ?? '').replace('anna', 'mallory'));
    expect(await found(edited)).toEqual([`edited ${idOf(texts[0])}`]);
    const size = 3;
    await world.client.send(
      new UpdateCommand({
        ...{ TableName: 'log', Key: logKeys.endedHead(log), UpdateExpression: 'SET signed = :signed' },
        ExpressionAttributeValues: { ':signed': { size, text: await signed(size, Buffer.alloc(32, 7)) } },
      }),
    );
    expect((await found(copy)).join()).toMatch(/wrong-root of the checkpoint of /);
  });
});
