import { cacheControlOf } from '#ui/headers.ts';
import * as app from '../../../pages/app/headers.ts';
import * as desk from '../../../pages/console/headers.ts';
import * as exported from '../../../pages/exports/headers.ts';
import { localHeadersOf, type OriginFiles, readOriginFiles } from './origin-files.ts';
import { type OriginServer, type OriginServerOptions, startOriginServer } from './origin-server.ts';

/** How a page signs its members in. */
type SignIn = { issuer: string; clientId: string; authorizationUrl: string; tokenUrl: string };

/** What each page reads of its own stack: where to get a token, and the pages beside it. */
type Configs = {
  app: { baseUrl: string };
  console: SignIn;
  'exports-page': { tokenUrl: string; siteUrl: string; appUrl: string; signIn: SignIn };
};

type Page<Config> = Pick<OriginServerOptions, 'forwarded'> & {
  /** The paths that answer with `index.html`. */
  pages: readonly string[];
  headersOf: (config?: Config) => Readonly<Record<string, string>>;
};

const originOf = (signIn: SignIn | undefined): string | undefined =>
  signIn && new URL(signIn.tokenUrl).origin;

const pages: { [Name in keyof Configs]: Page<Configs[Name]> } = {
  // Keys and passkeys of its users hang on its origin.
  app: {
    forwarded: app.forwardedToApi,
    pages: app.pages,
    headersOf: () => app.appHeaders,
  },
  console: {
    forwarded: desk.forwardedToApi,
    pages: ['/'],
    headersOf: (config) => desk.consoleHeaders(originOf(config)),
  },
  'exports-page': {
    forwarded: exported.forwardedToApi,
    pages: ['/'],
    headersOf: (config) => exported.exportsPageHeaders(originOf(config?.signIn)),
  },
};

export async function startPage(
  page: keyof Configs,
  options: Pick<OriginServerOptions, 'port' | 'publicUrl' | 'apiUrl'>,
): Promise<OriginServer> {
  const { forwarded, headersOf } = pages[page];
  return await startOriginServer({ ...options, forwarded, headers: localHeadersOf(headersOf()) });
}

export async function readPage<Name extends keyof Configs>(
  name: Name,
  directory: string,
  config: Configs[Name],
): Promise<OriginFiles> {
  const page: Page<Configs[Name]> = pages[name];
  const headers = localHeadersOf(page.headersOf(config));
  return await readOriginFiles(directory, { config, headers, cacheControlOf, pages: page.pages });
}
