import { GetCommand, type DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import {
  defaultFurtherDevicesPolicy,
  furtherDevicesPolicies,
  type DeviceRules,
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
  async find(tenantId: string): Promise<DeviceRules> {
    const { Item } = await this.#client.send(
      new GetCommand({
        TableName: this.#table,
        Key: tenantKeys.profile(tenantId),
        ProjectionExpression: 'tenantId, #name, settings.furtherDevices, settings.userVerification',
        ExpressionAttributeNames: { '#name': 'name' },
      }),
    );
    if (!Item) return { policy: 'confirm', tenantName: undefined, requiresVerification: true };
    const { furtherDevices: stored = defaultFurtherDevicesPolicy, userVerification } = (Item['settings'] ??
      {}) as { furtherDevices?: unknown; userVerification?: unknown };
    const requiresVerification = userVerification === 'required';
    const policy = furtherDevicesPolicies.find((one) => one === stored);
    if (policy) return { policy, tenantName: Item['name'] as string, requiresVerification };
    throw new Error(`The settings of the tenant ${tenantId} are malformed: furtherDevices`);
  }
}
