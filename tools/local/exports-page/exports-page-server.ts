import { cacheControlOf } from '#ui/headers.ts';
import { exportsPageHeaders, forwardedToApi } from '../../../pages/exports/headers.ts';
import { localHeadersOf, type OriginFiles, readOriginFiles } from '../origin/origin-files.ts';
import { type OriginServer, startOriginServer } from '../origin/origin-server.ts';

export type ExportsPageOptions = {
  /** 0 for any free port. */
  port: number;
  /** The API at its loopback address. */
  apiUrl: string;
};

/** What the page shows of its stack: where to get a token, the pages beside it, and how it signs people in. */
export type ExportsPageConfig = {
  tokenUrl: string;
  siteUrl: string;
  appUrl: string;
  signIn: { issuer: string; clientId: string; authorizationUrl: string; tokenUrl: string };
};

/**
 * The page on which tenants see and steer their exports.
 *
 * @throws {StartError} if the port is not available
 */
export const startExportsPageServer = async ({ port, apiUrl }: ExportsPageOptions): Promise<OriginServer> =>
  await startOriginServer({
    port,
    apiUrl,
    name: 'the exports page',
    portVariable: 'OMI_EXPORTS_PORT=8094',
    headers: localHeadersOf(exportsPageHeaders()),
    forwarded: forwardedToApi,
  });

export const readExportsPageFiles = async (
  directory: string,
  config: ExportsPageConfig,
): Promise<OriginFiles> =>
  await readOriginFiles(directory, {
    config,
    headers: localHeadersOf(exportsPageHeaders(new URL(config.signIn.tokenUrl).origin)),
    cacheControlOf,
    pages: ['/'],
  });
