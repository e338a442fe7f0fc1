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
    .replace('{eventId}', replayId)
    .replace('{hour}', encodeURIComponent(hour))
    .replace('{minute}', encodeURIComponent(hour));
  const queries: [end: string, query: Record<string, string>][] = [
    ['/ledger', { from, to }],
    ['/log/minutes', { from, to }],
    ['/inclusion', { eventId: replayId, aggregateId: replayId }],
    ['/consistency', { from: '0', to: '0' }],
  ];
  const [, query] = queries.find(([end]) => path.endsWith(end)) ?? [];
  return {
    method,
    path: query ? `${filled}?${new URLSearchParams(query).toString()}` : filled,
    ...(path.endsWith('/replays') && { json: { from, to } }),
    ...(path.endsWith('/dismiss') && { json: { reason: 'The bank has them.' } }),
  };
}
