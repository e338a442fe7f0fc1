/** What the policies of a synthesized stack allow each Lambda, with the service's names of the resources. */
import type { Template } from 'aws-cdk-lib/assertions';
import { parsePolicy, type Policy } from '../../tools/local/aws/stand-ins/iam/policy.ts';
import { type Resource, resourcesOf } from './synthesize.ts';

export type Statement = { Effect: string; Action: string | string[]; Resource: unknown };

export const listed = <T>(value: T | T[]): T[] => (Array.isArray(value) ? value : [value]);

export const statementsOf = ({ Properties }: Resource): Statement[] =>
  (Properties['PolicyDocument'] as { Statement: Statement[] }).Statement;

const rolesOf = ({ Properties }: Resource): string[] =>
  (Properties['Roles'] as { Ref: string }[]).map(({ Ref }) => Ref);

/** What the policies of the Lambda's role allow. */
export function statementsFor(lambda: string, template: Template): Statement[] {
  const found = resourcesOf(template, 'AWS::Lambda::Function').find(
    ([, { Properties }]) => Properties['Description'] === `OMI: ${lambda}`,
  );
  const role = found?.[1].Properties['Role'] as { 'Fn::GetAtt': [string] } | undefined;
  return resourcesOf(template, 'AWS::IAM::Policy')
    .filter(([, policy]) => rolesOf(policy).includes(role?.['Fn::GetAtt'][0] ?? ''))
    .flatMap(([, policy]) => statementsOf(policy));
}

type Reference = { id: string; attribute?: string | undefined };

/** The first resource of the template that a value refers to. */
function referenceIn(value: unknown, paths: ReadonlyMap<string, string>): Reference | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { Ref, 'Fn::GetAtt': asked } = value as { Ref?: string; 'Fn::GetAtt'?: [string, string] };
  const id = Ref ?? asked?.[0];
  if (id !== undefined && paths.has(id)) return { id, attribute: asked?.[1] };
  for (const member of Object.values(value)) {
    const found = referenceIn(member, paths);
    if (found) return found;
  }
  return undefined;
}

/** The construct of each resource as its path in the stack, such as `Data/devices`. */
export const constructsOf = (template: Template): Map<string, string> =>
  new Map(
    Object.entries((template.toJSON() as { Resources: Record<string, Resource> }).Resources).map(
      ([id, { Metadata }]) => [
        id,
        (Metadata?.['aws:cdk:path'] ?? '').replace(/^[^/]+\//, '').replace(/\/(Resource|Default)$/, ''),
      ],
    ),
  );

/** Resources that a policy names by their ARN, because the template does not make them. */
const namesByArn: [part: string, name: string][] = [
  [':endpoint/', 'endpoints'],
  [':secret:', 'secrets'],
  [':iam::*:role/*', 'tenantRoles'],
  ['/delivery/*', 'deliveryRoles'],
  [':deliverystream/omi-', 'deliveryStreams'],
  [':app/', 'applications'],
  [':event-bus/default', 'operatorBus'],
  [':identity/', 'mail'],
];

/** The keys for one use have one name. */
const keyNameOf = (construct: string): string =>
  `${construct
    .replace(/^Keys\//, '')
    .replace(/\d+$/, '')
    .toLowerCase()}Key`;

/** Names of resources: tables by name, `…Stream`, `…Index`, `…Queue`, `…Key`, and others by their kind. */
function nameOf(resource: unknown, constructs: ReadonlyMap<string, string>): string {
  if (resource === '*') return '*';
  const text = JSON.stringify(resource);
  const byArn = namesByArn.find(([part]) => text.includes(part));
  if (byArn) return byArn[1];
  const { id = '', attribute } = referenceIn(resource, constructs) ?? {};
  const path = constructs.get(id) ?? '';
  if (path.endsWith('/Logs')) return 'ownLogs';
  const [room = '', name = ''] = path.split('/');
  const files = text.includes('/*') ? 'Files' : 'Bucket';
  switch (room) {
    case 'Data':
      if (text.includes('/index/')) return `${name}Index`;
      return attribute === 'StreamArn' ? `${name}Stream` : name;
    case 'Queues':
      return `${name}Queue`;
    case 'Keys':
      return keyNameOf(path);
    case 'WebPush':
      return 'webPushKey';
    case 'Push':
      return name === 'Feedback' ? 'feedbackRole' : 'applications';
    case 'FailedRecords':
      return 'failedRecords';
    case 'WebApp':
      return `app${files}`;
    case 'ExportsPage':
      return `page${files}`;
    case 'Console':
      return `console${files}`;
    default:
      return text;
  }
}

export type Permission = { resource: string; action: string };

/** Every action on every resource, without the service's prefix. */
export function permissionsIn(statements: Statement[], template: Template): Permission[] {
  const constructs = constructsOf(template);
  return statements
    .filter(({ Effect }) => Effect === 'Allow')
    .flatMap(({ Action, Resource }) =>
      listed(Resource).flatMap((resource) =>
        listed(Action).map((action) => ({
          resource: nameOf(resource, constructs),
          action: action.replace(/^\w+:/, ''),
        })),
      ),
    );
}

/** A template's value on this account, in `eu-central-1`. */
export function resolved(value: unknown, account: string): unknown {
  if (Array.isArray(value)) return value.map((item) => resolved(item, account));
  if (typeof value !== 'object' || value === null) return value;
  const { Ref, 'Fn::Join': join } = value as { Ref?: string; 'Fn::Join'?: [string, unknown[]] };
  if (Ref === 'AWS::Partition') return 'aws';
  if (Ref === 'AWS::AccountId') return account;
  if (Ref === 'AWS::Region') return 'eu-central-1';
  if (join) return join[1].map((part) => resolved(part, account)).join(join[0]);
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, resolved(item, account)]));
}

/** The Lambda's statements about the roles that it assumes, as IAM reads them in this account. */
export const assumingOf = (lambda: string, template: Template, account: string): Policy => {
  const statements = statementsFor(lambda, template).filter(({ Action }) =>
    listed(Action).includes('sts:AssumeRole'),
  );
  return parsePolicy(JSON.stringify({ Statement: resolved(statements, account) }), 'permissions');
};
