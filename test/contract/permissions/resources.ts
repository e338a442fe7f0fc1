/** Resources by the names that the policies of the synthesized stack have in `test/lib/policies.ts`. */
import { tables } from '../../../core/aws/tables.ts';
import { deliveryRolePathOf } from '../../../core/export/kinds/policies/operator-roles.ts';
import type { RecordedCall } from '../../../tools/local/aws/endpoint/call-log.ts';
import { accountId } from '../../../tools/local/aws/identity.ts';
import { deliveryStreamPrefix, stage } from '../../../tools/local/resources/exports.ts';
import { localKeys } from '../../../tools/local/resources/kms-keys.ts';
import { localQueues } from '../../../tools/local/resources/queues.ts';
import { localTables } from '../../../tools/local/resources/tables.ts';

const inverted = (names: Record<string, string>, suffix = ''): [string, string][] =>
  Object.entries(names).map(([own, local]) => [local, `${own}${suffix}`]);

const indexes: [string, string][] = [
  [`${localTables.events}/index/${tables.events.index.name}`, 'eventsIndex'],
];
const tablesAndQueues = new Map([...inverted(localTables), ...indexes, ...inverted(localQueues, 'Queue')]);

const keys = new Map(inverted(localKeys, 'Key'));

const streamOperations = new Set(['DescribeStream', 'GetRecords', 'GetShardIterator']);

const ownRoles = `arn:aws:iam::${accountId}:role`;
const deliveryRoles = `${ownRoles}${deliveryRolePathOf(stage)}`;

/**
 * AWS writes nowhere whether SNS asks for the permission on an endpoint or on its application; refusals that people
 * quote name the application, also for calls on an endpoint. So those need both.
 */
function ofPush(resource: string): string[] {
  if (resource.includes(':app/')) return ['applications'];
  return resource.includes(':endpoint/') ? ['applications', 'endpoints'] : [resource];
}

/**
 * The permission to assume tenants' roles, which may have any name in any account, is one for the delivery roles, too.
 * No other role of the operator's is ever assumed.
 */
function ofRole(resource: string): string {
  const isOther = resource.startsWith(`${ownRoles}/`) && !resource.startsWith(deliveryRoles);
  return isOther ? resource : 'tenantRoles';
}

export function namesOf(service: RecordedCall['service'], operation: string, resource: string): string[] {
  switch (service) {
    case 'sns':
      return ofPush(resource);
    case 'sts':
      return [ofRole(resource)];
    case 'secretsmanager':
      return ['webPushKey'];
    case 'kms':
      return [keys.get(resource) ?? resource];
    case 'eventbridge':
      return [resource === 'default' ? 'operatorBus' : resource];
    case 'sesv2':
      return ['mail'];
    case 'cloudwatch':
      return ['*'];
    case 'firehose':
      return [resource.startsWith(deliveryStreamPrefix) ? 'deliveryStreams' : resource];
    case 'dynamodb':
    case 'sqs':
    case 'kinesis':
    case 's3': {
      const name = tablesAndQueues.get(resource) ?? resource;
      return [streamOperations.has(operation) ? `${name}Stream` : name];
    }
  }
}
