/** IAM's decision, as far as this product's policies use its language. */
import type {
  PolicyDocument,
  Statement,
} from '../../../../core/export/verification/tenant-policies/policy-document.ts';

export type Request = {
  /** The role's ARN, or a service. */
  caller: string;
  action: string;
  resource?: string;
  context?: Record<string, string>;
};

type Values = string | readonly string[];

const list = (values: Values): readonly string[] => (typeof values === 'string' ? [values] : values);

const isLike = (pattern: string, text: string): boolean =>
  new RegExp(`^${pattern.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '.*')}$`, 's').test(text);

const operators: Record<string, (expected: string, actual: string) => boolean> = {
  StringEquals: (expected, actual) => expected === actual,
  StringLike: isLike,
  Bool: (expected, actual) => expected === actual,
};

const accountOf = (arn: string): string | undefined => arn.split(':')[4];

function isPrincipal(principal: Statement['Principal'], caller: string): boolean {
  if (principal === undefined || principal === '*') return true;
  if ('Service' in principal) return principal.Service === caller;
  return (
    principal.AWS === caller ||
    (principal.AWS.endsWith(':root') && accountOf(principal.AWS) === accountOf(caller))
  );
}

function applies(statement: Statement, { caller, action, resource = '', context = {} }: Request): boolean {
  const known = { 'aws:PrincipalArn': caller, ...context };
  const conditions = Object.entries(statement.Condition ?? {}).flatMap(([operator, keys]) =>
    Object.entries(keys).map(([key, expected]) => {
      const actual = (known as Record<string, string>)[key];
      const matches = operators[operator] ?? (() => false);
      return actual !== undefined && list(expected).some((value) => matches(value, actual));
    }),
  );
  return (
    isPrincipal(statement.Principal, caller) &&
    list(statement.Action).some((pattern) => isLike(pattern, action)) &&
    list(statement.Resource ?? '*').some((pattern) => isLike(pattern, resource)) &&
    conditions.every(Boolean)
  );
}

export function isAllowed({ Statement: statements }: PolicyDocument, request: Request): boolean {
  const effects = statements.filter((one) => applies(one, request)).map(({ Effect }) => Effect);
  return effects.includes('Allow') && !effects.includes('Deny');
}
