import { type Context, holds } from './conditions.ts';
import { isLike } from './patterns.ts';
import type { Policy, Statement } from './policy.ts';
import { type Caller, includesCaller } from './principals.ts';

/** A request that policies allow or refuse. */
export type Request = {
  action: string;
  /** Without it every resource that a statement names matches. */
  resource?: string | undefined;
  context: Context;
  /** For policies that name principals: trust policies and those of resources. */
  caller?: Caller;
};

export type Log = (line: string) => void;

/** "Policy evaluation logic" in IAM's guide: at least one statement allows the request, and none denies it. */
export function isAllowed(policies: readonly Policy[], request: Request, log: Log): boolean {
  const effects = policies
    .flat()
    .filter((statement) => applies(statement, request, log))
    .map(({ effect }) => effect);
  return effects.includes('Allow') && !effects.includes('Deny');
}

function applies(statement: Statement, request: Request, log: Log): boolean {
  const { action, resource, context, caller } = request;
  const { principals, actions, resources, notResources, conditions } = statement;
  if (caller && !includesCaller(principals, caller)) return false;
  if (!actions.some((pattern) => isLike(pattern.toLowerCase(), action.toLowerCase()))) return false;
  if (resource !== undefined && resources && !resources.some((pattern) => isLike(pattern, resource))) {
    return false;
  }
  if (resource !== undefined && notResources?.some((pattern) => isLike(pattern, resource))) return false;
  return conditions.every((condition) => {
    const result = holds(condition, context);
    if (result === undefined) {
      log(
        `iam: ${condition.operator} of ${condition.key} is not supported here, so its statement never matches`,
      );
    }
    return result ?? false;
  });
}
