/** The program of docs/openid-connect.md asks a user of the local stack. */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { describe, expect, test } from '@jest/globals';
import type { SimulatedDevice } from '../../client/device/simulated-device.ts';
import { bodyOf } from '../../client/http.ts';
import { eventually } from '../support/waiting.ts';
import type { Challenge } from '../../client/contract.ts';
import { enrolDevice } from '../contract/scenario.ts';
import { useSharedStack } from '../support/use-stack.ts';

const run = promisify(execFile);
const program = 'docs/examples/openid-connect/approve.ts';
const stack = useSharedStack();

type Ended = { code: number; stdout: string };

async function approve(userId: string): Promise<Ended> {
  const [{ clientId, clientSecret }] = stack.file.tenants;
  const env = {
    PATH: process.env['PATH'],
    OMI_BASE_URL: stack.file.baseUrl,
    OMI_CLIENT_ID: clientId,
    OMI_CLIENT_SECRET: clientSecret,
  };
  try {
    const { stdout } = await run(process.execPath, [program, userId, 'Pay 16.00 € to Café Zoë?'], { env });
    return { code: 0, stdout };
  } catch (error) {
    const { code, stdout } = error as Ended;
    return { code, stdout };
  }
}

async function answered(answer: (phone: SimulatedDevice) => Promise<unknown>): Promise<[string, Ended]> {
  const phone = await enrolDevice(stack.website);
  const { userId } = phone.identity;
  const [ended] = await Promise.all([approve(userId), answer(phone)]);
  return [userId, ended];
}

/** What the program asks, as soon as it does. */
const asked = async (phone: SimulatedDevice): Promise<Challenge> =>
  await eventually('a challenge', async () => bodyOf(await phone.challenges()).challenges[0]);

describe('the example program', () => {
  test('prints who approved, and when', async () => {
    const [userId, { code, stdout }] = await answered(async (phone) => {
      const challenge = await asked(phone);
      expect(challenge.message).toBe('Pay 16.00 € to Café Zoë?');
      bodyOf(await phone.confirm(challenge));
    });
    expect(code).toBe(0);
    expect(stdout).toMatch(new RegExp(`^${userId} approved at \\d{4}-\\d\\d-\\d\\dT`));
  });

  test('prints that the user denied', async () => {
    const [, ended] = await answered(async (phone) => bodyOf(await phone.deny(await asked(phone))));
    expect(ended).toEqual({ code: 1, stdout: 'not approved: access_denied\n' });
  });
});

test('the page shows the code of the example program', () => {
  const withoutSpaces = (text: string): string => text.replaceAll(/\s+/g, '');
  const [, code = ''] = /```ts\n(.*?)```/s.exec(readFileSync('docs/openid-connect.md', 'utf8')) ?? [];
  const source = withoutSpaces(readFileSync(program, 'utf8'));
  const calls = [...code.matchAll(/await (\w+)\(/g)].map(([, name = '']) => name);
  expect(calls).toEqual([
    'discovery',
    'initiateBackchannelAuthentication',
    'pollBackchannelAuthenticationGrant',
  ]);
  for (const call of calls) expect(source).toContain(`await${call}(`);
});
