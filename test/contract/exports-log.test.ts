/** The log of accepted events, by the API. Its tenants are of their own. */
import { createHash, createPublicKey, randomUUID, verify } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { Exports, eventTexts, verifyLog } from '#consumer';
import { hours, minutes, rfc3339 } from '../../core/kernel/time.ts';
import { keysOf } from '../support/service-keys.ts';
import { useSharedStack } from '../support/use-stack.ts';
import { type TestEvent } from './events/event.ts';
import { erasedUser } from './exports-log/erased-user.ts';
import { checkpointOf, log, minutesPath, untilClosed } from './exports-log/log-console.ts';
import { markAsGrown } from './exports-log/log-marks.ts';
import { verifyCommand } from './exports-log/verify-command.ts';
import { TenantConsole } from './exports-api/tenant-console.ts';
import { recordsOf } from './export/consumer.ts';
import { nameOf } from './export/scenarios.ts';
import { earlierHour, recordEarlier } from './ledger/earlier-events.ts';

const stack = useSharedStack();

const sha256 = (...parts: readonly (string | Uint8Array)[]): Buffer => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest();
};
const leaf = (text: string): Buffer => sha256(Buffer.from([0]), text);

/** As RFC 6962 defines it. */
function rootOf(leaves: readonly Buffer[]): Buffer {
  const [first] = leaves;
  if (leaves.length < 2) return first ?? sha256();
  let split = 1;
  while (split * 2 < leaves.length) split *= 2;
  return sha256(Buffer.from([1]), rootOf(leaves.slice(0, split)), rootOf(leaves.slice(split)));
}

const named = (time: number): string => rfc3339(time).replace('.000', '');

const exportsOf = ({ client }: TenantConsole): Exports =>
  new Exports({ baseUrl: client.baseUrl, token: async () => await client.accessToken() });

/** The service's key for logs, as verifiers find it. */
async function logKey() {
  const { keys } = await keysOf(stack.file.baseUrl);
  const { kty = '', crv = '', x = '', y = '' } = keys.find((key) => key.for === 'log') ?? {};
  return createPublicKey({ key: { kty, crv, x, y }, format: 'jwk' });
}

describe('the log', () => {
  test('has each accepted event in the batch of its minute, and each minute in a signed tree', async () => {
    const one = await TenantConsole.open(stack);
    const start = earlierHour();
    const first = await recordEarlier(stack, one.ref(), 3, start);
    await untilClosed(one, 1);
    await recordEarlier(stack, one.ref(), 1, start + 7 * minutes);
    const found = await untilClosed(one, 2);
    expect(found.map(({ minute, count, leafIndex }) => [minute, count, leafIndex])).toEqual([
      [named(start), 3, 0],
      [named(start + 7 * minutes), 1, 1],
    ]);
    const lines = first
      .map((event) => `${event.metadata.eventId} ${sha256(JSON.stringify(event)).toString('hex')}`)
      .sort();
    expect((await one.get(`${log}/minutes/${named(start)}`)).body).toEqual({ leaves: lines });
    const root = rootOf(lines.map((line) => leaf(line.replace(' ', '\n'))));
    expect(found[0]?.root).toBe(root.toString('base64'));

    const text = await checkpointOf(one);
    const tree = found.map(({ minute, count, root: its }) =>
      leaf(`${minute}\n${count}\n${Buffer.from(its, 'base64').toString('hex')}`),
    );
    const [body = '', signature = ''] = text.split('\n\n');
    const origin = `${new URL(stack.file.baseUrl).host}/${one.tenantId}/public`;
    expect(body.split('\n')).toEqual([origin, '2', rootOf(tree).toString('base64')]);
    const key = await logKey();
    const [dash, name, base64 = ''] = signature.trimEnd().split(' ');
    const bytes = Buffer.from(base64, 'base64');
    expect([dash, name]).toEqual(['—', origin]);
    expect(bytes.subarray(0, 4)).toEqual(sha256(key.export({ type: 'spki', format: 'der' })).subarray(0, 4));
    expect(verify('sha256', Buffer.from(`${body}\n`), key, bytes.subarray(4))).toBe(true);
    expect(await checkpointOf(one)).toBe(text);
  });

  test('agrees with what its tenant got, and finds an edited, a removed and an added event', async () => {
    const one = await TenantConsole.open(stack);
    const destination = await one.activateStream();
    const kept = await checkpointOf(one);
    const start = earlierHour();
    const events = await recordEarlier(stack, one.ref(), 60, start);
    await untilClosed(one, 1);
    const records = await recordsOf(stack.file, nameOf(destination), events as unknown as TestEvent[]);
    const texts = records.flatMap(({ data }) => eventTexts(data));
    const options = {
      ...{ exports: exportsOf(one), category: 'public' as const, tenantId: one.tenantId },
      ...{ baseUrl: stack.file.baseUrl, keys: await keysOf(stack.file.baseUrl), kept: [kept] },
      ...{ from: new Date(start), to: new Date(start + hours) },
    };
    const whole = await verifyLog({ ...options, copy: texts });
    expect(whole).toMatchObject({ ok: true, findings: [], size: 1, compared: 60, open: 0 });
    const [edited = '', , forged = '', ...others] = texts;
    const { metadata, payload } = JSON.parse(forged) as { metadata: object; payload: object };
    const known = { eventId: randomUUID(), occurredTime: rfc3339(start + minutes) };
    const added = JSON.stringify({ metadata: { ...metadata, ...known }, payload });
    const copy = [edited.replace('alice', 'mallory'), forged, ...others, added];
    const next = { ...options, kept: [whole.checkpoint], state: whole.state };
    const { ok, findings } = await verifyLog({ ...next, copy });
    expect(ok).toBe(false);
    expect(findings.map(({ fault }) => fault).toSorted()).toEqual(['added', 'edited', 'removed']);
  });

  test('gives its tenant the checkpoint of an hour as an event, which is in no batch', async () => {
    const one = await TenantConsole.open(stack);
    await recordEarlier(stack, one.ref(), 1);
    await untilClosed(one, 1);
    await markAsGrown(stack, one.ref());
    const day = { from: rfc3339(Date.now() - hours), to: rfc3339(Date.now() + hours) };
    const ledger = `/omi/exports/log/ledger?${new URLSearchParams(day).toString()}`;
    await one.until(ledger, (body) => JSON.stringify(body).includes('CheckpointEvent'));
    const { body } = await one.get(minutesPath(0, Date.now()).replace('/public/', '/log/'));
    expect(body).toEqual({ minutes: [] });
  });

  test('refuses sizes and minutes that it does not have, and public events without an aggregate', async () => {
    const one = await TenantConsole.open(stack);
    const eventId = randomUUID();
    const refused = async (path: string): Promise<unknown> => {
      const { status, body } = await one.get(`${log}/${path}`);
      const { errors, code } = body as { errors?: { pointer: string }[]; code: string };
      return [status, code, errors?.map(({ pointer }) => pointer)];
    };
    const invalid = (pointer: string) => [400, 'invalid-request', [pointer]];
    const notInLog = [404, 'not-in-log', undefined];
    const inclusion = `proofs/inclusion?eventId=${eventId}`;
    expect(await refused('proofs/consistency?from=2&to=1')).toEqual(invalid('#/query/to'));
    expect(await refused('proofs/consistency?from=0&to=1')).toEqual(invalid('#/query/to'));
    expect(await refused('proofs/consistency?from=x&to=0')).toEqual(invalid('#/query/from'));
    expect(await refused(inclusion)).toEqual(invalid('#/query/aggregateId'));
    expect(await refused('proofs/inclusion?eventId=x&aggregateId=a')).toEqual(invalid('#/query/eventId'));
    expect(await refused(`${inclusion}&aggregateId=a&size=1`)).toEqual(invalid('#/query/size'));
    expect(await refused(`${inclusion}&aggregateId=a`)).toEqual(notInLog);
    expect(await refused('minutes/2026-03-01T08:30:00Z')).toEqual(notInLog);
    expect(await refused('minutes/2026-03-01T08:30:01Z')).toEqual(invalid('#/path/minute'));
    const backwards = 'minutes?from=2026-03-01T09:00:00Z&to=2026-03-01T08:00:00Z';
    expect(await refused(backwards)).toEqual(invalid('#/query/to'));
    expect((await one.get(`${log}/proofs/consistency?from=0&to=0`)).body).toEqual({ path: [] });
    const [, size, root] = (await checkpointOf(one)).split('\n');
    expect([size, root]).toEqual(['0', sha256().toString('base64')]);
  });

  test('is for clients with the scope alone', async () => {
    const one = await TenantConsole.open(stack, ['omi:events:post']);
    expect(await one.get(`${log}/minutes/2026-03-01T08:30:00Z`)).toMatchObject({ status: 403 });
  });
});

describe('omi log verify', () => verifyCommand(stack));
describe('omi user erase', () => erasedUser(stack));
