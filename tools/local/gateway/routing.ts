import type { RouteDefinition } from '../../../lambdas/routes.ts';

export type RouteMatch<Route> = { route: Route; pathParameters: Record<string, string> };

export type Routable = Pick<RouteDefinition, 'method' | 'path'>;

/** Finds a request's route as an HTTP API does: of several matches, the one with the most literal beginning. */
export function createRouter<Route extends Routable>(
  routes: readonly Route[],
): (method: string, path: string) => RouteMatch<Route> | undefined {
  const candidates = routes
    .map((route) => ({ route, segments: route.path.split('/') }))
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

const variableOf = (segment: string): string | undefined => /^\{(\w+)\}$/.exec(segment)?.[1];

/** The first segment that is literal in only one of the two decides. */
function compareSpecificity(one: readonly string[], other: readonly string[]): number {
  for (const [index, segment] of one.entries()) {
    const difference =
      Number(variableOf(segment) !== undefined) - Number(variableOf(other[index] ?? '') !== undefined);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** A trailing slash makes a different path. */
function matchSegments(
  segments: readonly string[],
  parts: readonly string[],
): Record<string, string> | undefined {
  if (segments.length !== parts.length) return undefined;
  const parameters: Record<string, string> = {};
  for (const [index, segment] of segments.entries()) {
    const part = parts[index] ?? '';
    const variable = variableOf(segment);
    if (variable === undefined ? part !== segment : part === '') return undefined;
    if (variable !== undefined) parameters[variable] = part;
  }
  return parameters;
}
