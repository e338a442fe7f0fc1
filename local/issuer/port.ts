import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Starts on the port that the data folder remembers, where that is free: the issuer's name has the port, and tokens
 * of a stack that was started anew on the same data stay good.
 */
export async function onRememberedPort<Started extends { issuer: string }>(
  dataDirectory: string | undefined,
  start: (port: number) => Promise<Started>,
): Promise<Started> {
  if (dataDirectory === undefined) return await start(0);
  const file = join(dataDirectory, 'issuer-port');
  const remembered = Number(await readFile(file, 'utf8').catch(() => '0'));
  const started = await start(remembered).catch(async (error: unknown) => {
    if (isPortTaken(error)) return await start(0);
    throw error;
  });
  await writeFile(file, new URL(started.issuer).port);
  return started;
}

export const isPortTaken = (error: unknown): boolean =>
  (error as NodeJS.ErrnoException | undefined)?.code === 'EADDRINUSE';
