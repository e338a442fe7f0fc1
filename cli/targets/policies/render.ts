import {
  tenantDocuments,
  type TenantDocuments,
  type TenantTarget,
} from '../../../core/export/kinds/policies/tenant-documents.ts';
import { cloudFormationOf } from './cloudformation.ts';
import { terraformOf } from './terraform.ts';

export const policyFormats = ['json', 'cloudformation', 'terraform'] as const;
export type PolicyFormat = (typeof policyFormats)[number];

const renderers: Record<PolicyFormat, (documents: TenantDocuments) => string> = {
  json: jsonOf,
  cloudformation: (documents) => indented(cloudFormationOf(documents)),
  terraform: terraformOf,
};

/**
 * The policies that a tenant needs for its stream, bucket or event bus, as the text of a file.
 *
 * @throws {ValiError} for a name that would have another meaning in a policy
 */
export const renderPolicies = (input: TenantTarget, format: PolicyFormat): string =>
  renderers[format](tenantDocuments(input));

/** The documents, each under the name of its policy. */
function jsonOf(documents: TenantDocuments): string {
  const keyPolicy = documents.keyPolicy?.document;
  return 'bucket' in documents
    ? indented({ bucketPolicy: documents.bucketPolicy, keyPolicy })
    : indented({
        trustPolicy: documents.trustPolicy,
        permissionPolicy: documents.permissionPolicy,
        keyPolicy,
      });
}

const indented = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;
