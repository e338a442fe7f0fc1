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

export const noTarget =
  'Missing: the target. Pass the category of a registered target, --stream-arn or --bucket.';
