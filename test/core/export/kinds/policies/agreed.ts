/** What an operator and a tenant agreed on, and the policies that follow from it. */
import {
  deliveryRoleArnOf,
  exporterRoleArnsOf,
} from '../../../../../core/export/kinds/policies/operator-roles.ts';
import type { PolicyDocument } from '../../../../../core/export/kinds/policies/policy-document.ts';
import { tenantDocuments } from '../../../../../core/export/kinds/policies/tenant-documents.ts';
import type { BucketDocuments } from '../../../../../core/export/kinds/bucket/bucket-documents.ts';
import type { RoleDocuments } from '../../../../../core/export/kinds/role/role-documents.ts';

export const operator = { stage: 'production', region: 'eu-central-1', account: '000000000000' };
export const [exporter = '', redelivery = '', verifier = ''] = exporterRoleArnsOf(operator);
export const tenantId = '0197a5c3-6c1e-7bd0-9a3f-0123456789ab';
export const deliveryRoleArn = deliveryRoleArnOf(operator, tenantId);

export const externalId = 'a-random-string-of-the-tenant';
export const streamArn = 'arn:aws:kinesis:eu-central-1:111122223333:stream/omi-events';
export const kmsKeyArn = 'arn:aws:kms:eu-central-1:111122223333:key/1234abcd-12ab-34cd-56ef-1234567890ab';

export const streamTarget = {
  kind: 'stream' as const,
  streamArn,
  externalId,
  operatorRoleArns: [exporter, redelivery, verifier],
  kmsKeyArn,
};
export const bucketTarget = {
  kind: 'bucket' as const,
  bucket: 'tenant-events',
  kmsKeyArn,
  deliveryRoleArn,
};

export const busTarget = {
  kind: 'bus' as const,
  busArn: 'arn:aws:events:eu-central-1:111122223333:event-bus/omi-events',
  externalId,
  operatorRoleArns: [exporter, redelivery, verifier],
};

export const stream = (change: object = {}) =>
  tenantDocuments({ ...streamTarget, ...change }) as RoleDocuments;
export const bucket = (change: object = {}) =>
  tenantDocuments({ ...bucketTarget, ...change }) as BucketDocuments;

export const bus = () => tenantDocuments(busTarget) as RoleDocuments;

export const granted = ({ Statement }: PolicyDocument) =>
  Statement.filter(({ Effect }) => Effect === 'Allow').map(({ Action, Resource }) => [Action, Resource]);
