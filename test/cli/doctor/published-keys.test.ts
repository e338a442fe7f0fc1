import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, test } from '@jest/globals';
import { CommandError } from '../../../cli/command-error.ts';
import type { Deployment } from '../../../cli/deployment/deployment.ts';
import { publishedKeysProbe } from '../../../cli/doctor/probes/published-keys-probe.ts';

const kids = { token: 'T', receipt: 'R', log: 'L' };
const token = { for: 'token', kid: 'T' };
const receipt = { for: 'receipt', kid: 'R' };
const log = { for: 'log', kid: 'L' };
const old = { for: 'receipt', kid: 'old', until: '2026-03-01T00:00:00.000Z' };

/** What doctor finds of a record of keys. */
async function finding(
  document: unknown,
  status = 200,
  signingKids = async () => await Promise.resolve(kids),
) {
  const server = createServer((_, response) => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(document));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  try {
    const found = await publishedKeysProbe.check({ baseUrl, signingKids } as Deployment);
    return found.map(({ ok, detail }) => [ok, detail]);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

describe('doctor, for the record of keys,', () => {
  test('passes with further keys in it', async () => {
    expect(await finding({ keys: [old, token, receipt, log] })).toEqual([[true, 'has the keys that sign']]);
  });

  test.each([
    ['receipt', [token, log, old]],
    ['receipt', [token, log, { ...receipt, for: 'token' }]],
    ['receipt', [token, log, { ...receipt, until: '2026-03-01T00:00:00.000Z' }]],
    ['log', [token, receipt]],
    ['token and receipt and log', []],
  ])('finds that the current key for each %s is missing: %j', async (use, keys) => {
    expect(await finding({ keys })).toEqual([
      [false, `lacks the current key for each ${use}: nobody can verify what it signs`],
    ]);
  });

  test('finds that it is missing or something else', async () => {
    expect(await finding({}, 404)).toEqual([[false, 'answers 404, not 200']]);
    expect(await finding({ keys: 7 })).toEqual([[false, 'is not a record of keys']]);
  });

  test('reports that it cannot be checked if the stack does not name its keys', async () => {
    const unknown = async () => await Promise.reject(new CommandError('The stack has no output ReceiptKid.'));
    expect(await finding({ keys: [] }, 200, unknown)).toEqual([
      [false, 'could not be checked: The stack has no output ReceiptKid.'],
    ]);
  });
});
