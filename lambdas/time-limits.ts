import { timeoutOf } from './event-sources.ts';
import { routes, type RouteDefinition } from './routes.ts';

/** Seconds for a call of a Lambda, if it is not the usual time. */
export function timeLimitOf(lambda: string): number | undefined {
  const known: readonly RouteDefinition[] = routes;
  return known.find((route) => route.lambda === lambda)?.timeout ?? timeoutOf(lambda);
}
