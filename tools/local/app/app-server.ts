import { cacheControlOf } from '#ui/headers.ts';
import { forwardedToApi, pages, appHeaders } from '../../../pages/app/headers.ts';
import { localHeadersOf, type OriginFiles, readOriginFiles } from '../origin/origin-files.ts';
import { type OriginServer, type OriginServerOptions, startOriginServer } from '../origin/origin-server.ts';

export type AppServerOptions = Pick<OriginServerOptions, 'port' | 'publicUrl' | 'apiUrl'>;

const headers = localHeadersOf(appHeaders);

/**
 * The web app. Keys and passkeys of its users hang on its origin.
 *
 * @throws {StartError} if the port is not available
 */
export const startAppServer = async (options: AppServerOptions): Promise<OriginServer> =>
  await startOriginServer({
    ...options,
    name: 'the web app',
    portVariable: 'OMI_APP_PORT=8091',
    headers,
    forwarded: forwardedToApi,
  });

/** @param config the app reads the base URL of its own stack there */
export const readAppFiles = async (directory: string, config: { baseUrl: string }): Promise<OriginFiles> =>
  await readOriginFiles(directory, { config, headers, cacheControlOf, pages });
