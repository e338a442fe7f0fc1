import type { RouteDefinition } from '../../../lambdas/routes.ts';

export type RouteMatch<Route> = { route: Route; pathParameters: Record<string, string> };

type Routable = Pick<RouteDefinition, 'method' | 'path'>;

/** Finds a request's route as an HTTP API does: of several matches, the one with the most literal beginning. */
export function createRouter<Route extends Routable>(
  routes: readonly Route[],
): (method: string, path: string) => RouteMatch<Route> | undefined {
  const candidates = routes
    .map((route) => ({ route, segments: route.path.split('/').map(segmentOf) }))
    .toSorted((one, other) => compareSpecificity(one.segments, other.segments));
  return (method, path) => {
    const parts = path.split('/');
    for (const { route, segments } of candidates) {
      const pathParameters = route.method === method ? matchSegments(segments, parts) : undefined;
      if (pathParameters) return { route, pathParameters };
    }
    return undefined;
  };
}

type Segment = { literal: string } | { variable: string };

const segmentOf = (text: string): Segment => {
  const variable = /^\{(\w+)\}$/.exec(text)?.[1];
  return variable === undefined ? { literal: text } : { variable };
};

/** The first segment that is literal in only one of the two decides. */
function compareSpecificity(one: readonly Segment[], other: readonly Segment[]): number {
  for (const [index, segment] of one.entries()) {
    const difference = Number('variable' in segment) - Number('variable' in (other[index] ?? {}));
    if (difference !== 0) return difference;
  }
  return 0;
}

/** A trailing slash makes a different path. */
function matchSegments(
  segments: readonly Segment[],
  parts: readonly string[],
): Record<string, string> | undefined {
  if (segments.length !== parts.length) return undefined;
  const parameters: Record<string, string> = {};
  for (const [index, segment] of segments.entries()) {
    const part = parts[index] ?? '';
    if ('literal' in segment ? part !== segment.literal : part === '') return undefined;
    if ('variable' in segment) parameters[segment.variable] = part;
  }
  return parameters;
}
