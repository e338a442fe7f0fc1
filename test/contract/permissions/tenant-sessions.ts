import { expect } from '@jest/globals';
import { sessionPolicy } from '../../../core/export/kinds/stream/stream-role.ts';
import { deliveryPolicy } from '../../../core/export/kinds/policies/operator-roles.ts';
import type { PolicyDocument } from '../../../core/export/kinds/policies/policy-document.ts';
import type { RecordedCall } from '../../../tools/local/aws/endpoint/call-log.ts';
import * as services from '../../../tools/local/aws/protocols/services.ts';
import { writerPolicies } from '../../../tools/local/seed/stream-target.ts';
import { isOfSession } from '../../support/recorded-calls.ts';

const tenant = '111111111111';
const streamArn = `arn:aws:kinesis:eu-central-1:${tenant}:stream/events`;
const writer = writerPolicies({
  kind: 'stream',
  streamArn,
  roleArn: `arn:aws:iam::${tenant}:role/events-writer`,
  externalId: '0123456789abcdef',
  lanes: 2,
});

/** What the sessions of a role may do, by the policies that limit them: each grants all that they do, and no more. */
type Sessions = {
  service: RecordedCall['service'];
  policies: readonly Pick<PolicyDocument, 'Statement'>[];
  /** Granted, though no session calls it; with the reason. */
  uncalled: Record<string, string>;
};

const assumed: readonly Sessions[] = [
  {
    service: 'kinesis',
    // What tenants are told to give to the role, and what the service keeps of that.
    policies: [writer.permissionPolicy, JSON.parse(sessionPolicy(streamArn)) as PolicyDocument],
    uncalled: {
      'kms:GenerateDataKey': 'Kinesis asks in the role’s name, where a stream has a key of the tenant’s own',
    },
  },
  {
    service: 's3',
    policies: [
      deliveryPolicy({ bucket: 'events', kmsKeyArn: `arn:aws:kms:eu-central-1:${tenant}:key/events` }),
    ],
    uncalled: {
      's3:GetBucketLocation': 'Firehose asks',
      's3:ListBucketMultipartUploads': 'Firehose asks',
      's3:AbortMultipartUpload': 'Firehose asks, where objects are large',
      's3:PutObjectAcl': 'S3 asks, where an object is put with an ACL',
      'kms:GenerateDataKey': 'S3 asks in the role’s name',
      'kms:Decrypt': 'S3 asks in the role’s name',
    },
  },
];

const actionsIn = ({ Statement }: Pick<PolicyDocument, 'Statement'>): string[] =>
  Statement.flatMap(({ Action }) => Action);

const actionFor = ({ service, operation, resources }: RecordedCall): string =>
  services[service].actionOf?.({ operation, resources, input: {} }, tenant).action ??
  `${service}:${operation}`;

/** All that the sessions called is in every policy, and the other way round. */
export function expectTenantSessions(calls: readonly RecordedCall[]): void {
  const made = calls.filter(isOfSession);
  expect([...new Set(made.map(({ service }) => service))].toSorted()).toEqual(
    assumed.map(({ service }) => service),
  );
  for (const { service, policies, uncalled } of assumed) {
    const actions = new Set(made.filter((call) => call.service === service).map(actionFor));
    for (const granted of policies.map(actionsIn)) {
      expect([...actions].filter((action) => !granted.includes(action))).toEqual([]);
      expect(granted.filter((action) => !actions.has(action) && !(action in uncalled))).toEqual([]);
    }
    expect(Object.keys(uncalled).filter((action) => actions.has(action))).toEqual([]);
  }
}
