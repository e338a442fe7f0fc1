import type { ExternalIdOptions } from '../external-ids.ts';

export type PolicyOptions = ExternalIdOptions & {
  tenant: string;
  streamArn?: string;
  roleName?: string;
  bucket?: string;
  kmsKeyArn?: string;
  newKey?: true;
  bucketOwner?: string;
  bucketRegion?: string;
};
