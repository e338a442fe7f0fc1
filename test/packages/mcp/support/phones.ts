import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Challenge } from '../../../../client/contract.ts';
import type { SimulatedDevice } from '../../../../client/device/simulated-device.ts';
import { eventually } from '../../../support/waiting.ts';
import type { TestStack } from '../../../support/stack.ts';

/** The environment of the server, by the names of `website.env`. */
export function environmentOf(stack: TestStack): Record<string, string> {
  const { baseUrl, tokenUrl, tenants } = stack.file;
  const [{ tenantId, clientId, clientSecret }] = tenants;
  return {
    OMI_BASE_URL: baseUrl,
    OMI_TOKEN_URL: tokenUrl,
    OMI_TENANT_ID: tenantId,
    OMI_CLIENT_ID: clientId,
    OMI_CLIENT_SECRET: clientSecret,
  };
}

/** A folder for tasks that no other test uses. */
export const newState = async (): Promise<string> => await mkdtemp(join(tmpdir(), 'omi-mcp-'));

const openOn = async (phone: SimulatedDevice): Promise<Challenge[] | undefined> => {
  const answer = await phone.challenges();
  return answer.ok ? answer.body.challenges : undefined;
};

export const shownOn = async (phone: SimulatedDevice): Promise<Challenge> =>
  await eventually('the question on the phone', async () => (await openOn(phone))?.[0]);

/** Waits until the phone shows no question. */
export const goneFrom = async (phone: SimulatedDevice): Promise<void> => {
  const isGone = async (): Promise<true | undefined> =>
    (await openOn(phone))?.length === 0 ? true : undefined;
  await eventually('the question leaves the phone', isGone);
};
