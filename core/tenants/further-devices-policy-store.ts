import { GetCommand, type DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import {
  defaultFurtherDevicesPolicy,
  furtherDevicesPolicies,
  type FurtherDevicesPolicy,
} from './further-devices-policy.ts';
import { tenantKeys } from './tenant-keys.ts';

/**
 * The tenants' rules for further devices, for the calls of devices, which carry no settings. Apart from the store of tenants: a
 * device's call needs one word, and not the schema of all settings in its bundle.
 */
export class FurtherDevicesPolicyStore {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: string;

  constructor(client: DynamoDBDocumentClient, table: string) {
    this.#client = client;
    this.#table = table;
  }

  /** One read. The strictest rule where the tenant is gone: nobody could tell that another one was meant. */
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
    const rule = furtherDevicesPolicies.find((one) => one === stored);
    if (rule) return rule;
    throw new Error(`The settings of the tenant ${tenantId} are malformed: furtherDevices`);
  }
}
