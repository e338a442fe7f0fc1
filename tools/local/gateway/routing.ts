import type { RouteDefinition } from '../../../lambdas/routes.ts';

export type RouteMatch<Route> = { route: Route; pathParameters: Record<string, string> };

type Routable = Pick<RouteDefinition, 'method' | 'path'>;

/** Finds a request's route as an HTTP API does: of several matches, the one with the most literal beginning, greedy ones last. */
export function createRouter<Route extends Routable>(
  routes: readonly Route[],
): (method: string, path: string) => RouteMatch<Route> | undefined {
  const candidates = routes
    .map((route) => ({ route, segments: route.path.split('/').map(segmentOf) }))
    .toSorted((one, other) => compareSpecificity(one.segments, other.segments));
  return (method, path) => {
    const parts = path.split('/');
    for (const { route, segments } of candidates) {
      const isOfMethod = route.method === method || route.method === 'ANY';
      const pathParameters = isOfMethod ? matchSegments(segments, parts) : undefined;
      if (pathParameters) return { route, pathParameters };
    }
    return undefined;
  };
}

/** A greedy variable is the last segment, and takes all that follow. */
type Segment = { literal: string } | { variable: string; isGreedy: boolean };

const segmentOf = (text: string): Segment => {
  const [, variable, plus] = /^\{(\w+)(\+?)\}$/.exec(text) ?? [];
  return variable === undefined ? { literal: text } : { variable, isGreedy: plus === '+' };
};

const isGreedy = (segments: readonly Segment[]): boolean => {
  const last = segments.at(-1);
  return last !== undefined && 'variable' in last && last.isGreedy;
};

/** The first segment that is literal in only one of the two decides. */
function compareSpecificity(one: readonly Segment[], other: readonly Segment[]): number {
  if (isGreedy(one) !== isGreedy(other)) return Number(isGreedy(one)) - Number(isGreedy(other));
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
  const count = segments.length;
  if (isGreedy(segments) ? parts.length < count : parts.length !== count) return undefined;
  const parameters: Record<string, string> = {};
  for (const [index, segment] of segments.entries()) {
    const isRest = 'variable' in segment && segment.isGreedy;
    const part = isRest ? parts.slice(index).join('/') : (parts[index] ?? '');
    if ('literal' in segment ? part !== segment.literal : part === '') return undefined;
    if ('variable' in segment) parameters[segment.variable] = part;
  }
  return parameters;
}
