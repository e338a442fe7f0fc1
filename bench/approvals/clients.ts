import { randomUUID } from 'node:crypto';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import * as v from 'valibot';
import type { LocalStack } from '../api/stack.ts';

const run = promisify(execFile);

const created = v.object({
  clientId: v.string(),
  clientSecret: v.string(),
  callbackSecret: v.exactOptional(v.string()),
});
export type NewClient = v.InferOutput<typeof created>;

/** Registers a client of the demo tenant by the CLI, as an operator does. */
export async function newClient(
  { directory, file }: LocalStack,
  options: readonly string[],
): Promise<NewClient> {
  const [{ tenantId }] = file.tenants;
  const args = [
    'bin/omi.mjs',
    'client',
    'create',
    tenantId,
    '--name',
    `bench-${randomUUID()}`,
    '--scope',
    'all',
    ...options,
  ];
  const env = { ...process.env, OMI_STATE: directory };
  const { stdout } = await run(process.execPath, [...args, '--local', '--json'], { env });
  return v.parse(created, JSON.parse(stdout));
}
