import { type Context, holds } from './conditions.ts';
import { isLike } from './patterns.ts';
import type { Policy, Statement } from './policy.ts';

/** What somebody wants to do. */
export type Request = {
  action: string;
  /** Without it any resource that a statement names will do. */
  resource?: string | undefined;
  context: Context;
  /** Whether the caller is one of a statement's principals; for a policy without them everybody is. */
  isPrincipal?: (principals: Statement['principals']) => boolean;
};

export type Log = (line: string) => void;

/** "Policy evaluation logic" in IAM's guide, for one policy: some statement allows it, and none denies it. */
export function isAllowed(policies: readonly Policy[], request: Request, log: Log): boolean {
  const effects = policies
    .flat()
    .filter((statement) => applies(statement, request, log))
    .map(({ effect }) => effect);
  return effects.includes('Allow') && !effects.includes('Deny');
}

function applies(statement: Statement, request: Request, log: Log): boolean {
  const { action, resource, context, isPrincipal = () => true } = request;
  const { principals, actions, resources, conditions } = statement;
  if (!isPrincipal(principals)) return false;
  if (!actions.some((pattern) => isLike(pattern.toLowerCase(), action.toLowerCase()))) return false;
  if (resource !== undefined && resources && !resources.some((pattern) => isLike(pattern, resource))) {
    return false;
  }
  return conditions.every((condition) => {
    const result = holds(condition, context);
    if (result === undefined) {
      log(`iam: ${condition.operator} of ${condition.key} is not known here, so its statement never matches`);
    }
    return result ?? false;
  });
}
