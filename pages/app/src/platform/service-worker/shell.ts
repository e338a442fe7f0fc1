/**
 * The app's own files, so that it opens without a network. Only files of the build are kept; calls of the service and
 * `/config.json` always go to the network.
 */
const cachePrefix = 'shell-';
const currentCache = `${cachePrefix}${SHELL_VERSION}`;
const pagePath = '/index.html';

export async function keepShell(): Promise<void> {
  const cache = await caches.open(currentCache);
  // The page's name has no hash: the HTTP cache may have an older one.
  await cache.addAll(
    SHELL.map((path) => new Request(path, { cache: path === pagePath ? 'reload' : 'default' })),
  );
}

export async function deleteOldShells(): Promise<void> {
  const names = await caches.keys();
  await Promise.all(
    names
      .filter((name) => name.startsWith(cachePrefix) && name !== currentCache)
      .map(async (name) => await caches.delete(name)),
  );
}

/** The answer to a request for one of the app's files; undefined for all other requests. */
export function shellAnswer(request: Request): Promise<Response> | undefined {
  const { origin, pathname } = new URL(request.url);
  if (request.method !== 'GET' || origin !== location.origin) return undefined;
  if (request.mode === 'navigate' && PAGES.includes(pathname)) return fromShell(pagePath, request);
  return SHELL.includes(pathname) ? fromShell(pathname, request) : undefined;
}

async function fromShell(path: string, request: Request): Promise<Response> {
  const cache = await caches.open(currentCache);
  return (await cache.match(path)) ?? (await fetch(request));
}
