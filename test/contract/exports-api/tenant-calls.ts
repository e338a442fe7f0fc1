import type { RouteDefinition } from '../../../lambdas/routes.ts';

export type Ids = { replayId: string; category?: string };

const hour = new Date().toISOString().replace(/:\d\d:\d\d\.\d+Z$/, ':00:00Z');

/** A valid call of each route by which tenants see and steer their export. */
export function validCallOf({ method, path }: RouteDefinition, { replayId, category = 'public' }: Ids) {
  const to = new Date().toISOString();
  const from = new Date(Date.now() - 60_000).toISOString();
  const filled = path
    .replace('{category}', category)
    .replace('{replayId}', replayId)
    .replace('{hour}', encodeURIComponent(hour));
  const query = path.endsWith('/ledger') ? `?${new URLSearchParams({ from, to }).toString()}` : '';
  return {
    method,
    path: `${filled}${query}`,
    ...(path.endsWith('/replays') && { json: { from, to } }),
  };
}
