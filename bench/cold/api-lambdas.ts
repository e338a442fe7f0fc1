import { routes } from '../../lambdas/routes.ts';

/** A user waits for the cold start of these Lambdas. */
export const apiLambdas: ReadonlySet<string> = new Set(['authorize', ...routes.map(({ lambda }) => lambda)]);
