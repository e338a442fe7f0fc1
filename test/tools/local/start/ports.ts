import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, test } from '@jest/globals';

/** What reading gives, or nothing if the process, or its file, is gone meanwhile. */
function ifThere<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

/** Sockets that a process has open, by their inodes. Files that it closes meanwhile hide no others. */
function socketsOf(pid: string): string[] {
  const files = ifThere(() => readdirSync(`/proc/${pid}/fd`)) ?? [];
  const links = files.map((fd) => ifThere(() => readlinkSync(`/proc/${pid}/fd/${fd}`)) ?? '');
  return links.flatMap((link) => /^socket:\[(\d+)\]$/.exec(link)?.[1] ?? []);
}

const parentOf = (pid: string): string | undefined =>
  /^\d+ \(.*\) \S (\d+) /s.exec(ifThere(() => readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? '')?.[1];

function familyOf(root: string): string[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const parents = new Map(pids.map((pid) => [pid, parentOf(pid)]));
  const isIn = (pid: string | undefined): boolean =>
    pid !== undefined && (pid === root || isIn(parents.get(pid)));
  return pids.filter(isIn);
}

type Listener = { address: string; port: number };

/** proc(5): of `/proc/net/tcp` the second column is the own address, the fourth the state, the tenth the inode. */
function listenersOf(root: string): Listener[] {
  const inodes = new Set(familyOf(root).flatMap(socketsOf));
  return ['tcp', 'tcp6'].flatMap((table) =>
    readFileSync(`/proc/net/${table}`, 'utf8')
      .split('\n')
      .slice(1)
      .flatMap((line) => {
        const [, local = '', , state, , , , , , inode = ''] = line.trim().split(/\s+/);
        const [address = '', port = ''] = local.split(':');
        return state === '0A' && inodes.has(inode) ? [{ address, port: Number.parseInt(port, 16) }] : [];
      }),
  );
}

/** `127.0.0.1` as the kernel writes it, also inside of an IPv6 address, and `::1`. */
const loopback = /^((0{16}FFFF0000)?0100007F|0{24}01000000)$/;

/** The status of an answer; undefined where the server speaks no HTTP: that of a folder's lock says who has the folder, and hangs up. */
async function statusOf(port: number, headers: Record<string, string>): Promise<number | undefined> {
  const sent = request({ host: '127.0.0.1', port, headers, agent: false, method: 'POST' });
  // A server that waits for more than these headers has not refused.
  const late = wait(20_000, 0, { ref: false });
  const answered = once(sent, 'response').then(([response]) => {
    (response as IncomingMessage).resume();
    return (response as IncomingMessage).statusCode;
  });
  // Without a body: a server that refuses the head might close while the body is on its way.
  sent.end();
  return await Promise.race([answered, late]).catch(() => undefined);
}

const isRefused = (status: number | undefined): boolean =>
  status === undefined || [400, 403, 421].includes(status);

// Without /proc it is unknown which ports belong to the stack.
const onLinux = process.platform === 'linux' ? describe : describe.skip;

/** @param pidOf of a stack with emulators of its own: the port of a DynamoDB Local is among them */
export function testPorts(pidOf: () => number): void {
  onLinux('every port that the stack and its processes listen on', () => {
    const listeners = (): Listener[] => listenersOf(String(pidOf()));

    test('is on loopback', () => {
      // The API, the issuer, the controls, seven services of AWS, and DynamoDB Local behind one of them.
      expect(listeners().length).toBeGreaterThanOrEqual(11);
      expect(listeners().filter(({ address }) => !loopback.test(address))).toEqual([]);
    });

    test.each([
      ['a foreign Host', () => ({ host: 'attacker.example' })],
      ['a foreign Host that resembles an own one', () => ({ host: '127.0.0.1.attacker.example' })],
      [
        'a foreign Origin',
        (port: number) => ({ host: `127.0.0.1:${port}`, origin: 'https://attacker.example' }),
      ],
      [
        'the Origin of another server here',
        (port: number) => ({ host: `127.0.0.1:${port}`, origin: 'http://localhost:1' }),
      ],
      ['no Origin that has a name', (port: number) => ({ host: `127.0.0.1:${port}`, origin: 'null' })],
    ])('rejects %s', async (_, headersFor) => {
      const target = {
        'x-amz-target': 'DynamoDB_20120810.ListTables',
        'content-type': 'application/x-amz-json-1.0',
      };
      const answers = await Promise.all(
        listeners().map(async ({ port }) => ({
          port,
          status: await statusOf(port, { ...target, ...headersFor(port) }),
        })),
      );
      expect(answers.filter(({ status }) => !isRefused(status))).toEqual([]);
      expect(answers.filter(({ status }) => status === 403).length).toBeGreaterThanOrEqual(11);
    });
  });
}
