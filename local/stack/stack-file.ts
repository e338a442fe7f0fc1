import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { chmod, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ServiceName } from '../aws/endpoint/fault-schema.ts';

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

export const stackFileIn = (directory: string): string => join(directory, 'stack.json');

/**
 * Written elsewhere and renamed: who sees the file sees all of it. It holds secrets, so the file is a new one that is the owner's
 * alone, whatever had its name before: a file that others can read, a link, or a folder.
 */
export async function writeStackFile(directory: string, description: StackDescription): Promise<void> {
  const file = stackFileIn(directory);
  const unfinished = `${file}.${randomUUID()}`;
  const content = `${JSON.stringify(description, null, 2)}\n`;
  try {
    // `wx`: nothing that is there is written to, and no link is followed.
    await writeFile(unfinished, content, { flag: 'wx', mode: 0o600 });
    await chmod(unfinished, 0o600);
    removeStackFile(directory);
    await rename(unfinished, file);
  } finally {
    await rm(unfinished, { force: true });
  }
}

/** Of a link the link goes, not what it points to. */
export function removeStackFile(directory: string): void {
  rmSync(stackFileIn(directory), { recursive: true, force: true });
}
