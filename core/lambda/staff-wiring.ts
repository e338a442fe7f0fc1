import type { DynamoDBDocumentClient } from '../aws/dynamodb-client.ts';
import { DeviceStore } from '../devices/device-store.ts';
import { StaffLog } from '../staff/staff-log.ts';
import { TenantDirectory } from '../staff/tenant-directory-store.ts';
import { producer } from './producer.ts';

/** For Lambdas of the help desk. */
export const staffLog = (client: DynamoDBDocumentClient, { EVENTS_TABLE }: { EVENTS_TABLE: string }) =>
  new StaffLog(client, EVENTS_TABLE, producer());

/** For those that look at one user. */
export const staffUserDeps = (
  client: DynamoDBDocumentClient,
  env: { TENANTS_TABLE: string; DEVICES_TABLE: string; EVENTS_TABLE: string },
) => ({
  tenants: new TenantDirectory(client, env.TENANTS_TABLE),
  devices: new DeviceStore(client, env.DEVICES_TABLE),
  log: staffLog(client, env),
});
