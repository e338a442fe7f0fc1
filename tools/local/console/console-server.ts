import { cacheControlOf } from '#ui/headers.ts';
import { consoleHeaders, forwardedToApi } from '../../../pages/console/headers.ts';
import { localHeadersOf, type OriginFiles, readOriginFiles } from '../origin/origin-files.ts';
import { type OriginServer, startOriginServer } from '../origin/origin-server.ts';

/** How the page signs its members in. */
export type ConsoleConfig = { issuer: string; clientId: string; authorizationUrl: string; tokenUrl: string };

/**
 * The help desk's page.
 *
 * @throws {StartError} if the port is not available
 */
export const startConsoleServer = async ({
  port,
  apiUrl,
}: {
  /** 0 for any free port. */
  port: number;
  /** The API at its loopback address. */
  apiUrl: string;
}): Promise<OriginServer> =>
  await startOriginServer({
    port,
    apiUrl,
    name: "the help desk's page",
    portVariable: 'OMI_CONSOLE_PORT=8095',
    headers: localHeadersOf(consoleHeaders()),
    forwarded: forwardedToApi,
  });

export const readConsoleFiles = async (directory: string, config: ConsoleConfig): Promise<OriginFiles> =>
  await readOriginFiles(directory, {
    config,
    headers: localHeadersOf(consoleHeaders(new URL(config.tokenUrl).origin)),
    cacheControlOf,
    pages: ['/'],
  });
