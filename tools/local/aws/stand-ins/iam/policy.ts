import * as v from 'valibot';
import { AwsServiceError } from '../../protocols/errors.ts';

/** A policy with every member that may be one string as a list. */
export type Policy = readonly Statement[];

export type Statement = {
  effect: 'Allow' | 'Deny';
  /** By kind, such as `AWS`; empty in permissions. */
  principals: Readonly<Record<string, readonly string[]>>;
  actions: readonly string[];
  /** A trust policy has none: it applies to its role. */
  resources: readonly string[] | undefined;
  /** The statement is about all resources but these. */
  notResources?: readonly string[] | undefined;
  conditions: readonly Condition[];
};

export type Condition = { operator: string; key: string; values: readonly string[] };

/** A role's trust policy, a role's or session's permissions, or the policy of a bucket or key. */
type PolicyKind = 'trust' | 'permissions' | 'resource';

const list = (item: v.GenericSchema<unknown, string>) =>
  v.pipe(
    v.union([item, v.array(item)]),
    v.transform((value): string[] => (Array.isArray(value) ? value : [value])),
  );

const text = v.string();
const action = v.pipe(text, v.regex(/^(\*|[a-z0-9-]+:[\w*?]+)$/i, 'Actions are written as service:Action.'));
/** JSON may write a number or a truth value where the text of one is meant. */
const scalar = v.pipe(v.union([text, v.number(), v.boolean()]), v.transform(String));
const principals = v.union([
  v.pipe(
    v.literal('*'),
    v.transform(() => ({ AWS: ['*'] })),
  ),
  v.record(text, list(text)),
]);

const statement = v.strictObject({
  Sid: v.optional(text),
  Effect: v.picklist(['Allow', 'Deny']),
  Principal: v.optional(principals),
  Action: list(action),
  Resource: v.optional(list(text)),
  NotResource: v.optional(list(text)),
  Condition: v.optional(v.record(text, v.record(text, list(scalar))), {}),
});

const policy = v.strictObject({
  Version: v.optional(v.picklist(['2012-10-17', '2008-10-17'])),
  Id: v.optional(text),
  Statement: v.pipe(
    v.union([statement, v.array(statement)]),
    v.transform((value) => (Array.isArray(value) ? value : [value])),
  ),
});

type Raw = v.InferOutput<typeof statement>;

/** @throws {AwsServiceError} `MalformedPolicyDocument`, as IAM and STS do; also for parts of the policy language that are not supported here */
export function parsePolicy(document: string, kind: PolicyKind): Policy {
  const result = v.safeParse(policy, parseJson(document));
  if (!result.success) throw malformed(v.summarize(result.issues));
  const { Statement: statements } = result.output;
  if (statements.length === 0) throw malformed('A policy has at least one statement.');
  for (const one of statements) checkKind(one, kind);
  return statements.map(read);
}

function malformed(message: string): AwsServiceError {
  return new AwsServiceError(400, 'MalformedPolicyDocument', message);
}

function parseJson(document: string): unknown {
  try {
    return JSON.parse(document);
  } catch {
    throw malformed('This policy contains invalid Json');
  }
}

function checkKind({ Principal, Resource, NotResource, Action }: Raw, kind: PolicyKind): void {
  if (Resource && NotResource) throw malformed('A statement has Resource or NotResource.');
  if (kind === 'permissions') {
    if (Principal) throw malformed('Policy document should not specify a principal.');
    if (!Resource && !NotResource) throw malformed('Policy statement must contain resources.');
    return;
  }
  if (!Principal) throw malformed('Missing required field Principal');
  if (kind === 'resource') return;
  if (Resource || NotResource) throw malformed('Has prohibited field Resource');
  if (!Action.every((name) => /^sts:/i.test(name))) {
    throw malformed('AssumeRole policy may only specify STS AssumeRole actions.');
  }
}

function read({ Effect, Principal = {}, Action, Resource, NotResource, Condition }: Raw): Statement {
  const conditions = Object.entries(Condition).flatMap(([operator, keys]) =>
    Object.entries(keys).map(([key, values]) => ({ operator, key, values })),
  );
  return {
    effect: Effect,
    principals: Principal,
    actions: Action,
    resources: Resource,
    ...(NotResource && { notResources: NotResource }),
    conditions,
  };
}
