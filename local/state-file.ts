import { rmSync } from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ServiceName } from './aws/fault-schema.ts';

/** What a running stack says about itself (contract, part 6). */
export type StackDescription = {
  baseUrl: string;
  tokenUrl: string;
  issuer: string;
  tenants: { tenantId: string; name: string; clientId: string; clientSecret: string }[];
  exports: {
    tenantId: string;
    category: string;
    kind: 'stream' | 'bucket';
    streamName?: string;
    bucket?: string;
  }[];
  aws: { region: string; endpoints: Record<ServiceName, string> };
  pushesUrl: string;
  faultsUrl: string;
  pid: number;
};

export const stateFileIn = (directory: string): string => join(directory, 'stack.json');

/** Written elsewhere and renamed: who sees the file sees all of it. It holds secrets, so it is the owner's alone. */
export async function writeStateFile(directory: string, description: StackDescription): Promise<void> {
  const file = stateFileIn(directory);
  await writeFile(`${file}.new`, `${JSON.stringify(description, null, 2)}\n`, { mode: 0o600 });
  await rename(`${file}.new`, file);
}

export function removeStateFile(directory: string): void {
  rmSync(stateFileIn(directory), { force: true });
}
