import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Starts on the port that the data folder remembers, if it is free. The port is part of the issuer's name, so tokens stay
 * valid when a stack restarts on the same data.
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
