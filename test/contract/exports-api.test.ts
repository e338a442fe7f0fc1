/** The API by which tenants see and steer their own export. Its tenants are of its own. */
import { describe, expect, test } from '@jest/globals';
import { useSharedStack } from '../support/use-stack.ts';
import { callAs, type ExportEntry, TenantConsole } from './exports-api/tenant-console.ts';

const stack = useSharedStack();
const LONG = 120_000;

const listed = async (console: TenantConsole): Promise<ExportEntry[]> => {
  const { status, body } = await console.get('/omi/exports');
  expect(status).toBe(200);
  return (body as { exports: ExportEntry[] }).exports;
};

describe("a tenant's exports", () => {
  test(
    'are listed with state, reason and counts',
    async () => {
      const one = await TenantConsole.open(stack);
      expect(await listed(one)).toEqual([]);
      const destination = await one.activateStream();
      const { streamArn, roleArn, lanes } = destination;
      expect(await listed(one)).toEqual([
        {
          category: 'public',
          destination: { kind: 'stream', streamArn, roleArn, lanes },
          state: 'active',
          since: expect.any(String),
          reason: 'Events are delivered as they come.',
          accepted: 0,
          delivered: 0,
          waiting: 0,
          oldestWaitingAt: null,
          types: null,
          lastTest: null,
        },
      ]);
    },
    LONG,
  );

  test('are not those of another tenant', async () => {
    const [demo, neighbour] = await Promise.all(
      [stack.website, stack.neighbour].map(async (website) =>
        JSON.stringify((await callAs(website, { method: 'GET', path: '/omi/exports' })).body),
      ),
    );
    expect(demo).toContain('omi-local-demo-public');
    expect(demo).not.toContain('neighbour');
    expect(neighbour).toContain('omi-local-neighbour-events');
    expect(neighbour).not.toContain('demo');
  });
});
