import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

export type TokenPort = {
  /** 0 for any free port. */
  port: number;
  /** Whether somebody chose it. The default port gives way to another program, and to what the data folder remembers. */
  isChosen: boolean;
};

export type TokenPortOptions = {
  tokenPort: TokenPort;
  /** Remembers the port. It is part of the issuer's name, so tokens stay valid when a stack restarts on the same data. */
  dataDirectory?: string | undefined;
  log: (line: string) => void;
};

/** `isPortKept` is true if the next start with the same settings has the same port. */
export type OnPort<Started> = Started & { isPortKept: boolean };

export async function onTokenPort<Started extends { issuer: string }>(
  { tokenPort, dataDirectory, log }: TokenPortOptions,
  start: (port: number) => Promise<Started>,
): Promise<OnPort<Started>> {
  if (tokenPort.isChosen) return { ...(await start(tokenPort.port)), isPortKept: tokenPort.port !== 0 };
  const remembered = await rememberedPort(dataDirectory);
  const usual = remembered ?? tokenPort.port;
  try {
    const started = await start(usual);
    if (dataDirectory !== undefined && remembered === undefined)
      await writeFile(join(dataDirectory, fileName), new URL(started.issuer).port);
    return { ...started, isPortKept: dataDirectory !== undefined || usual !== 0 };
  } catch (error) {
    if (!isPortTaken(error)) throw error;
    const started = await start(0);
    const { port } = new URL(started.issuer);
    log(
      `Port ${usual} is in use by another program, so tokens come from port ${port} until the next start. Choose one for tokens, for example with "OMI_TOKEN_PORT=8092 npm start".`,
    );
    return { ...started, isPortKept: false };
  }
}

const fileName = 'issuer-port';

async function rememberedPort(dataDirectory: string | undefined): Promise<number | undefined> {
  if (dataDirectory === undefined) return undefined;
  const text = await readFile(join(dataDirectory, fileName), 'utf8').catch(() => '');
  return text === '' ? undefined : Number(text);
}

const isPortTaken = (error: unknown): boolean =>
  (error as NodeJS.ErrnoException | undefined)?.code === 'EADDRINUSE';
