import { DeleteCommand, GetCommand, PutCommand, type DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { tenantKeys } from '../../tenants/tenant-keys.ts';
import { contact, type Contact } from './contact.ts';

/** The tenants' contacts, in the tenants table. The commands write them. */
export class ContactStore {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: string;

  constructor(client: DynamoDBDocumentClient, table: string) {
    this.#client = client;
    this.#table = table;
  }

  async find(tenantId: string): Promise<Contact | undefined> {
    const Key = tenantKeys.contact(tenantId);
    const { Item } = await this.#client.send(
      new GetCommand({ TableName: this.#table, Key, ConsistentRead: true }),
    );
    return Item && v.parse(contact, Item);
  }

  async put(tenantId: string, given: Contact): Promise<void> {
    const Item = { ...tenantKeys.contact(tenantId), ...given };
    await this.#client.send(new PutCommand({ TableName: this.#table, Item }));
  }

  async remove(tenantId: string): Promise<void> {
    const Key = tenantKeys.contact(tenantId);
    await this.#client.send(new DeleteCommand({ TableName: this.#table, Key }));
  }
}
