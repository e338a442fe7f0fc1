import { expect } from '@jest/globals';
import * as v from 'valibot';
import { hours, rfc3339 } from '../../../core/kernel/time.ts';
import type { TenantConsole } from '../exports-api/tenant-console.ts';
import { earlierHour } from '../ledger/earlier-events.ts';

export const log = '/omi/exports/public/log';

export async function checkpointOf({ client }: TenantConsole): Promise<string> {
  const { status, text } = await client.call({ method: 'GET', path: `${log}/checkpoint` }, v.unknown());
  expect(status).toBe(200);
  return text;
}

export const minutesPath = (from: number, to: number): string =>
  `${log}/minutes?${new URLSearchParams({ from: rfc3339(from), to: rfc3339(to) }).toString()}`;

type Minute = { minute: string; count: number; root: string; leafIndex: number };

/** The minutes of an hour and those after it, as soon as there are so many. */
export async function untilClosed(
  one: TenantConsole,
  count: number,
  from = earlierHour(),
): Promise<Minute[]> {
  const found = await one.until(minutesPath(from, from + 4 * hours), (body) => {
    return (body['minutes'] as Minute[]).length >= count;
  });
  return found['minutes'] as Minute[];
}
