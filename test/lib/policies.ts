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

/** Names of resources: tables by name, `…Stream`, `…Queue`, and others by their kind. */
function nameOf(resource: unknown): string {
  const text = JSON.stringify(resource);
  if (resource === '*') return '*';
  if (/"Fn::GetAtt":\["\w*Logs\w{8}","Arn"\]/.test(text)) return 'ownLogs';
  if (text.includes(':endpoint/')) return 'endpoints';
  if (text.includes(':secret:')) return 'secrets';
  if (/"Ref":"WebPushKey\w{8}"/.test(text)) return 'webPushKey';
  const key = /"Fn::GetAtt":\["Keys(Secrets|Signing|Receipts)\w+","Arn"\]/.exec(text)?.[1];
  if (key !== undefined) return `${key.toLowerCase()}Key`;
  if (text.includes(':iam::*:role/*')) return 'tenantRoles';
  if (text.includes('/delivery/*')) return 'deliveryRoles';
  if (text.includes('"PushFeedbackRole')) return 'feedbackRole';
  if (text.includes(':deliverystream/omi-')) return 'deliveryStreams';
  if (/:app\/|"Ref":"Push/.test(text)) return 'applications';
  if (text.includes('"FailedRecords')) return 'failedRecords';
  if (text.includes('"WebAppBucket')) return text.includes('/*') ? 'appFiles' : 'appBucket';
  if (/"Bucket[0-9A-F]{8}"/.test(text)) return text.includes('/*') ? 'pageFiles' : 'pageBucket';
  const index = /"Data([a-z]+)\w{8}","Arn"\]\},"\/index\//.exec(text)?.[1];
  if (index !== undefined) return `${index}Index`;
  const queue = /"Fn::GetAtt":\["Queues([a-z]+)\w{8}","Arn"\]/.exec(text)?.[1];
  if (queue !== undefined) return `${queue}Queue`;
  const stream = /"Fn::GetAtt":\["Data([a-z]+)\w{8}","StreamArn"\]/.exec(text)?.[1];
  if (stream !== undefined) return `${stream}Stream`;
  return /"Fn::GetAtt":\["Data([a-z]+)\w{8}","Arn"\]/.exec(text)?.[1] ?? text;
}

export type Permission = { resource: string; action: string };

/** Every action on every resource, without the service's prefix. */
export const permissionsIn = (statements: Statement[]): Permission[] =>
  statements
    .filter(({ Effect }) => Effect === 'Allow')
    .flatMap(({ Action, Resource }) =>
      listed(Resource).flatMap((resource) =>
        listed(Action).map((action) => ({
          resource: nameOf(resource),
          action: action.replace(/^\w+:/, ''),
        })),
      ),
    );

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
