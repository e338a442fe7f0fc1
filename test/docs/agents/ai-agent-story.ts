import { execFile } from 'node:child_process';
import { expect } from '@jest/globals';
import type { Challenge } from '../../../client/contract.ts';
import type { SimulatedDevice } from '../../../client/device/simulated-device.ts';
import { eventually } from '../../support/waiting.ts';
import type { Payment } from '../../../docs/examples/approved-payments/payment.ts';

export type AgentSettings = {
  issuer: string;
  clientId: string;
  clientSecret: string;
  paymentsUrl: string;
  certificateFile: string;
};

type Told = { results: string[]; seen: string };

/** Runs the agent, whose model wants to make these payments one after the other. */
async function runAgent(
  { certificateFile, ...settings }: AgentSettings,
  userId: string,
  calls: object[],
): Promise<Told> {
  const AGENT = JSON.stringify({ ...settings, userId, calls });
  const env = { PATH: process.env['PATH'], NODE_EXTRA_CA_CERTS: certificateFile, AGENT };
  return await new Promise((resolve, reject) => {
    execFile(process.execPath, ['test/docs/agents/scripted-agent.mjs'], { env }, (error, stdout, stderr) => {
      if (error) reject(new Error(stderr));
      else resolve(JSON.parse(stdout) as Told);
    });
  });
}

const challenge = async (phone: SimulatedDevice): Promise<Challenge> =>
  await eventually('the request on the phone', async () => {
    const answer = await phone.challenges();
    return answer.ok ? answer.body.challenges[0] : undefined;
  });

/** The user approves the first payment and denies the second one, which the model was tricked into. */
export async function payWithAgent(settings: AgentSettings, phone: SimulatedDevice): Promise<void> {
  const wanted: Payment = { to: 'Café Zoë', amount: '16.00', currency: 'EUR' };
  const tricked: Payment = { ...wanted, to: 'Mallory' };
  const running = runAgent(settings, phone.identity.userId, [wanted, tricked]);
  const first = await challenge(phone);
  expect(first).toMatchObject({
    message: 'Pay 16.00 EUR to Café Zoë?',
    context: expect.stringContaining('"requester"'),
  });
  expect(JSON.parse(first.details ?? '')).toEqual([{ type: 'payment', ...wanted }]);
  await phone.confirm(first);
  const second = await challenge(phone);
  expect(second.message).toBe('Pay 16.00 EUR to Mallory?');
  await phone.deny(second);
  const { results, seen } = await running;
  expect(results).toEqual(['Paid.', expect.stringMatching(/^Not paid: /)]);
  expect(seen).toContain('Paid.');
  // No part of a JWT: the model never sees a token.
  expect(seen).not.toMatch(/eyJ/);
}
