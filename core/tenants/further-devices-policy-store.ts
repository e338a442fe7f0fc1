import { GetCommand, type DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import {
  defaultFurtherDevicesPolicy,
  furtherDevicesPolicies,
  type FurtherDevicesPolicy,
} from './further-devices-policy.ts';
import { tenantKeys } from './tenant-keys.ts';

/**
 * The tenants' policies for further devices, for calls of devices, which carry no settings. It is separate from
 * `TenantStore`, so that these Lambdas' bundles need not contain the schema of all settings.
 */
export class FurtherDevicesPolicyStore {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: string;

  constructor(client: DynamoDBDocumentClient, table: string) {
    this.#client = client;
    this.#table = table;
  }

  /** One read. The strictest policy if the tenant does not exist. */
  async find(tenantId: string): Promise<FurtherDevicesPolicy> {
    const { Item } = await this.#client.send(
      new GetCommand({
        TableName: this.#table,
        Key: tenantKeys.profile(tenantId),
        ProjectionExpression: 'tenantId, settings.furtherDevices',
      }),
    );
    if (!Item) return 'confirm';
    const { furtherDevices: stored = defaultFurtherDevicesPolicy } = (Item['settings'] ?? {}) as {
      furtherDevices?: unknown;
    };
    const policy = furtherDevicesPolicies.find((one) => one === stored);
    if (policy) return policy;
    throw new Error(`The settings of the tenant ${tenantId} are malformed: furtherDevices`);
  }
}
