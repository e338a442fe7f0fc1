import { afterAll, beforeAll } from '@jest/globals';
import { build } from 'esbuild';
import { type Call, PageServer, type Script } from './page-server.ts';

/** A website for the tests of a file. Its pages load both elements, or another script. */
export function usePages(script = 'packages/elements/src/index.ts', trustedTypes?: string) {
  let server: PageServer | undefined;
  const running = (): PageServer => {
    if (!server) throw new Error('The page server is not started');
    return server;
  };

  beforeAll(async () => {
    server = await PageServer.start(trustedTypes);
    server.serve('/elements.js', 'text/javascript', await bundled(script));
    server.serve('/page.css', 'text/css', style);
    server.serve('/done', 'text/html', '<!doctype html><title>Done</title><h1>Done</h1>');
  });
  afterAll(async () => await server?.stop());

  return {
    get file() {
      return { appUrl: running().origin };
    },
    get calls(): readonly Call[] {
      return running().calls;
    },
    get submits(): readonly URLSearchParams[] {
      return running().submits;
    },
    /** Calls that have asked the user, or started an enrolment. */
    posts: () =>
      running()
        .calls.filter(({ method }) => method === 'POST')
        .map(({ path, body }) => ({ path, body })),
    /** Paths of the requests that were withdrawn. */
    withdrawals: () =>
      running()
        .calls.filter(({ method }) => method === 'DELETE')
        .map(({ path }) => path),
    /** The page at `/` has this content, and its calls are answered by this script. */
    show: (content: string, routes: Script, lang = 'en') => {
      running().serve('/', 'text/html; charset=utf-8', pageOf(content, lang));
      running().script(routes);
    },
  };
}

export const pageOf = (content: string, lang: string): string =>
  `<!doctype html><html lang="${lang}"><head><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Bank</title><link rel="stylesheet" href="/page.css"><script type="module" src="/elements.js"></script></head>
<body><main><h1>Bank</h1>${content}</main></body></html>`;

const style = `
  :root { color-scheme: light dark; font: 100%/1.5 system-ui, sans-serif }
  body { margin: 1rem; max-inline-size: 34rem }
  form { display: grid; gap: 1rem }
  /* The place is kept until the script has loaded. */
  omi-confirmation:not(:defined) { display: block; min-block-size: 12.25rem } form omi-confirmation:not(:defined) { min-block-size: 8.75rem }
`;

export async function bundled(entry: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [entry],
    bundle: true,
    write: false,
    format: 'esm',
    define: {
      'process.env.NODE_ENV': '"production"',
      __VUE_OPTIONS_API__: 'false',
      __VUE_PROD_DEVTOOLS__: 'false',
      __VUE_PROD_HYDRATION_MISMATCH_DETAILS__: 'false',
    },
    logLevel: 'warning',
  });
  return outputFiles.map(({ text }) => text).join('');
}
