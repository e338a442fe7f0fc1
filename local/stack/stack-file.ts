import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { chmod, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ServiceName } from '../aws/endpoint/fault-schema.ts';

/** The description of a running stack in `stack.json`. */
export type StackDescription = {
  baseUrl: string;
  /** The web app, a device in the browser. */
  appUrl: string;
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
  /** The push service of browsers: each endpoint is below. */
  webPushUrl: string;
  pushesUrl: string;
  faultsUrl: string;
  pid: number;
};

export const stackFileIn = (directory: string): string => join(directory, 'stack.json');

/**
 * Writes the file atomically. It has secrets, so it is always a new file that only its owner can read, even if a readable
 * file, a link or a folder had its name before.
 */
export async function writeStackFile(directory: string, description: StackDescription): Promise<void> {
  const file = stackFileIn(directory);
  const unfinished = `${file}.${randomUUID()}`;
  const content = `${JSON.stringify(description, null, 2)}\n`;
  try {
    // `wx` fails if the file exists, and follows no link.
    await writeFile(unfinished, content, { flag: 'wx', mode: 0o600 });
    await chmod(unfinished, 0o600);
    removeStackFile(directory);
    await rename(unfinished, file);
  } finally {
    await rm(unfinished, { force: true });
  }
}

/** Removes a link, but not its target. */
export function removeStackFile(directory: string): void {
  rmSync(stackFileIn(directory), { recursive: true, force: true });
}
