import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import {
  DeleteCommand,
  type DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { updateOf } from '../../core/aws/conditional-writer.ts';
import type { Item } from '../../core/aws/dynamodb-client.ts';
import type { Brand, Logo } from '../../core/tenants/brand.ts';
import { parseProfile, type Profile as TenantProfile } from '../../core/tenants/profile.ts';
import { tenantKeys } from '../../core/tenants/tenant-keys.ts';
import { CommandError } from '../command-error.ts';
import { labels, type Labels } from './labels.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { scan } from '../deployment/table-client.ts';

/** With the operator's labels, which only the commands read. */
export type Profile = TenantProfile & { labels?: Labels | undefined };

type ProfileChange = Pick<Profile, 'settings'> & {
  name?: string | undefined;
  brand?: Brand | null | undefined;
  labels?: Labels | undefined;
};

/** `stored` has the settings as they are in the table, so that a write can detect a concurrent change. */
export type StoredProfile = Profile & { stored: unknown };

/** @throws if the item is malformed */
export const toProfile = (item: Item): StoredProfile => ({
  ...parseProfile(item),
  ...(item['labels'] !== undefined && { labels: v.parse(labels, item['labels']) }),
  stored: item['settings'],
});

/** The profiles of tenants, in the tenants table. */
export class ProfileStore {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: string;

  constructor(client: DynamoDBDocumentClient, table: string) {
    this.#client = client;
    this.#table = table;
  }

  async find(tenantId: string): Promise<StoredProfile | undefined> {
    const Key = tenantKeys.profile(tenantId);
    const { Item } = await this.#client.send(
      new GetCommand({ TableName: this.#table, Key, ConsistentRead: true }),
    );
    return Item && toProfile(Item);
  }

  async list(): Promise<Profile[]> {
    const items = await scan(this.#client, this.#table, 'sk = :sort', { ':sort': 'profile' });
    return items.map(toProfile).sort((a, b) => a.name.localeCompare(b.name));
  }

  /** @returns false if the id is taken */
  async create({ tenantId, name, settings, labels: its }: Profile): Promise<boolean> {
    const put = new PutCommand({
      TableName: this.#table,
      Item: { ...tenantKeys.profile(tenantId), tenantId, name, settings, ...(its && { labels: its }) },
      ConditionExpression: 'attribute_not_exists(pk)',
    });
    return await isApplied(this.#client.send(put));
  }

  /**
   * @param change `name` and `brand` only if they change: otherwise a concurrent change is kept. A brand of null is removed
   * @returns false if the settings changed since they were read
   */
  async change({ tenantId, stored }: StoredProfile, change: ProfileChange): Promise<boolean> {
    const { settings, name, brand: branded, labels: its } = change;
    const { update, names, values } = updateOf({
      set: {
        settings,
        ...(name !== undefined && { name }),
        ...(branded && { brand: branded }),
        ...(its && { labels: its }),
      },
      remove: branded === null ? ['brand'] : [],
    });
    const command = new UpdateCommand({
      TableName: this.#table,
      Key: tenantKeys.profile(tenantId),
      UpdateExpression: update,
      // The new settings may be there already: the answer of an earlier attempt was lost.
      ConditionExpression: 'settings = :stored OR settings = :to_settings',
      ExpressionAttributeNames: names,
      ExpressionAttributeValues: {
        ...Object.fromEntries(Object.entries(values).map(([attribute, value]) => [`:${attribute}`, value])),
        ':stored': stored,
      },
    });
    return await isApplied(this.#client.send(command));
  }

  async putLogo(tenantId: string, logo: Logo): Promise<void> {
    const Item = { ...tenantKeys.logo(tenantId), ...logo };
    await this.#client.send(new PutCommand({ TableName: this.#table, Item }));
  }

  async deleteLogo(tenantId: string): Promise<void> {
    const Key = tenantKeys.logo(tenantId);
    await this.#client.send(new DeleteCommand({ TableName: this.#table, Key }));
  }
}

async function isApplied(writing: Promise<unknown>): Promise<boolean> {
  try {
    await writing;
    return true;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return false;
    throw error;
  }
}

export const profileStoreOf = ({ clients, tables }: Deployment): ProfileStore =>
  new ProfileStore(clients.dynamodb, tables.tenants);

/** @throws {CommandError} if there is no such tenant, or it is deleted */
export async function requireLiveTenant(deployment: Deployment, tenantId: string): Promise<StoredProfile> {
  const found = await requireTenant(deployment, tenantId);
  if (found.deletedAt === undefined) return found;
  throw new CommandError(`The tenant ${tenantId} is deleted.`, '"omi tenant create" creates a new one.');
}

/** @throws {CommandError} if there is no such tenant */
export async function requireTenant(deployment: Deployment, tenantId: string): Promise<StoredProfile> {
  const found = await profileStoreOf(deployment).find(tenantId);
  if (found) return found;
  throw new CommandError(
    `There is no tenant ${tenantId} in ${deployment.name}.`,
    '"omi tenant list" shows all tenants.',
  );
}
