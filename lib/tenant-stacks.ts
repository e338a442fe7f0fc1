import type { App } from 'aws-cdk-lib';
import { AthenaTablesStack } from './tenant/athena-tables.ts';
import { BucketTargetStack } from './tenant/bucket-target.ts';
import { BusTargetStack } from './tenant/bus-target.ts';
import { StreamTargetStack } from './tenant/stream-target.ts';

/** The templates that tenants deploy in their own accounts, by name. */
export const tenantStacks = (app: App) => ({
  'stream-target': new StreamTargetStack(app, 'stream-target'),
  'bucket-target': new BucketTargetStack(app, 'bucket-target'),
  'bus-target': new BusTargetStack(app, 'bus-target'),
  'athena-tables': new AthenaTablesStack(app, 'athena-tables'),
});
