import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { StartError } from '../../../../tools/local/command/start-error.ts';
import { onTokenPort, type TokenPort } from '../../../../tools/local/issuer/port.ts';
import { serveLoopback } from '../../../../tools/local/server/loopback-server.ts';

let dataDirectory: string;
let log: string[];
let other: Server;
let taken: number;

beforeEach(async () => {
  dataDirectory = await mkdtemp(join(tmpdir(), 'omi-port-'));
  log = [];
  other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  taken = (other.address() as AddressInfo).port;
});
afterEach(async () => {
  await closeOther();
  await rm(dataDirectory, { recursive: true });
});

async function closeOther(): Promise<void> {
  if (!other.listening) return;
  other.close();
  await once(other, 'close');
}

/** The port of a server that is started and closed, and whether the next one would have the same. */
async function startOn(tokenPort: TokenPort, options: { dataDirectory?: string } = {}) {
  const start = async (port: number) => {
    const server = await serveLoopback((_, response) => response.end(), { port });
    await server.close();
    return { issuer: server.url };
  };
  const { issuer, isPortKept } = await onTokenPort(
    { tokenPort, ...options, log: (line) => log.push(line) },
    start,
  );
  return { port: Number(new URL(issuer).port), isPortKept };
}

const usual = (port: number): TokenPort => ({ port, isChosen: false });
const chosen = (port: number): TokenPort => ({ port, isChosen: true });

test('the default port is the same at every start', async () => {
  await closeOther();
  expect(await startOn(usual(taken))).toEqual({ port: taken, isPortKept: true });
  expect(log).toEqual([]);
});

test('a default port in use is replaced by a free one, and the terminal says how to choose', async () => {
  const { port, isPortKept } = await startOn(usual(taken));
  expect(port).not.toBe(taken);
  expect(isPortKept).toBe(false);
  expect(log).toEqual([
    `Port ${taken} is in use by another program, so tokens come from port ${port} until the next start. ` +
      'Choose one for tokens, for example with "OMI_TOKEN_PORT=8092 npm start".',
  ]);
});

test('any free port is another one at the next start', async () => {
  expect(await startOn(usual(0))).toMatchObject({ isPortKept: false });
  expect(await startOn(chosen(0))).toMatchObject({ isPortKept: false });
});

test('a chosen port is used', async () => {
  await closeOther();
  expect(await startOn(chosen(taken))).toEqual({ port: taken, isPortKept: true });
});

test('a chosen port in use stops the start', async () => {
  const starting = startOn(chosen(taken));
  await expect(starting).rejects.toThrow(StartError);
  await expect(starting).rejects.toThrow(`Port ${taken} is in use by another program. Choose one for tokens`);
});

test('other errors are not hidden', async () => {
  const failing = async () => await Promise.reject(new Error('broken'));
  const options = { log: () => undefined };
  await expect(onTokenPort({ tokenPort: usual(0), ...options }, failing)).rejects.toThrow('broken');
  await expect(onTokenPort({ tokenPort: chosen(0), ...options }, failing)).rejects.toThrow('broken');
});

describe('a data folder', () => {
  test('remembers the port of the first start', async () => {
    const { port } = await startOn(usual(0), { dataDirectory });
    expect(await startOn(usual(taken), { dataDirectory })).toEqual({ port, isPortKept: true });
  });

  test('does not remember a temporary port', async () => {
    await writeFile(join(dataDirectory, 'issuer-port'), String(taken));
    const { port, isPortKept } = await startOn(usual(0), { dataDirectory });
    expect(port).not.toBe(taken);
    expect(isPortKept).toBe(false);
    expect(log).toHaveLength(1);
    await startOn(chosen(0), { dataDirectory });
    await closeOther();
    expect(await startOn(usual(0), { dataDirectory })).toEqual({ port: taken, isPortKept: true });
  });
});
