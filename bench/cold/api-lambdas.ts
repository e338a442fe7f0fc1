import { routes } from '../../lambdas/routes.ts';

/** A user waits for a cold start of these. */
export const apiLambdas: ReadonlySet<string> = new Set(['authorize', ...routes.map(({ lambda }) => lambda)]);
