import { DeleteCommand, GetCommand, PutCommand, type DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { updateIf } from '../../aws/conditional-writer.ts';
import { tenantKeys } from '../../tenants/tenant-keys.ts';
import { contact, type Contact, type ContactTest } from './contact.ts';

/** The tenants' contacts, in the tenants table. The commands write them, and ask for their tests. */
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

  /** @returns false if the tenant has no contact */
  async askForTest(tenantId: string, id: string): Promise<boolean> {
    const { applied } = await updateIf(this.#client, {
      ...{ table: this.#table, key: tenantKeys.contact(tenantId), names: {} },
      ...{ update: 'SET askedTest = :id', condition: 'attribute_exists(pk)', values: { id } },
    });
    return applied;
  }

  /** Changes nothing if another test was asked for, or another contact registered. */
  async noteTest(tenantId: string, lastTest: ContactTest): Promise<void> {
    await updateIf(this.#client, {
      ...{ table: this.#table, key: tenantKeys.contact(tenantId), names: {} },
      update: 'SET lastTest = :lastTest REMOVE askedTest',
      ...{ condition: 'askedTest = :id', values: { lastTest, id: lastTest.id } },
    });
  }

  async remove(tenantId: string): Promise<void> {
    const Key = tenantKeys.contact(tenantId);
    await this.#client.send(new DeleteCommand({ TableName: this.#table, Key }));
  }
}
