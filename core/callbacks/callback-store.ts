import { BatchGetCommand, type DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { batchGet } from '../aws/batch-get.ts';
import { assignIf, type Assignments, type Condition } from '../aws/conditional-writer.ts';
import type { Item, Write } from '../aws/dynamodb-client.ts';
import type { SealedSecret } from '../outbound/sealed-secret.ts';
import { tenantKeys } from '../tenants/tenant-keys.ts';
import {
  receiver as schema,
  type Receiver,
  type ReceiverKind,
  type ReceiverTest,
  type Registration,
} from './receiver.ts';

const keyOf = {
  callback: tenantKeys.clientCallback,
  ping: tenantKeys.clientNotification,
} satisfies Record<ReceiverKind, unknown>;

/** A receiver, and whether its tenant is suspended. */
export type FoundReceiver = { receiver: Receiver; isSuspended: boolean };

function parse(item: Item): Receiver {
  const result = v.safeParse(schema, item);
  if (result.success) return result.output;
  // Only the paths: a message would quote the value.
  const paths = result.issues.map((issue) => v.getDotPath(issue) ?? '');
  throw new Error(`The item ${String(item['pk'])} ${String(item['sk'])} is malformed: ${paths.join(', ')}`);
}

/**
 * The receivers of callbacks, in the tenants table. Each write of the sender requires that the URL and the state are still
 * those that it read: a receiver that was registered again or stopped meanwhile stays as it is.
 */
export class CallbackStore {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: string;

  constructor(client: DynamoDBDocumentClient, table: string) {
    this.#client = client;
    this.#table = table;
  }

  /**
   * One read, eventually consistent. Undefined if the client has no such receiver, or is gone.
   *
   * @throws {ConflictError} if a throttled table returned only a part
   */
  async find(kind: ReceiverKind, clientId: string): Promise<FoundReceiver | undefined> {
    const [Client, Own] = [tenantKeys.client(clientId), keyOf[kind](clientId)];
    const answer = await batchGet(
      async (RequestItems) => await this.#client.send(new BatchGetCommand({ RequestItems })),
      { [this.#table]: { Keys: [Client, Own] } },
    );
    const items = new Map((answer.get(this.#table) ?? []).map((item) => [item['sk'], item]));
    const [client, own] = [items.get(Client.sk), items.get(Own.sk)];
    return client && own && { receiver: parse(own), isSuspended: client['suspendedAt'] !== undefined };
  }

  /** One consistent read, for operators. */
  async get(kind: ReceiverKind, clientId: string): Promise<Receiver | undefined> {
    const { Item } = await this.#client.send(
      new GetCommand({ TableName: this.#table, Key: keyOf[kind](clientId), ConsistentRead: true }),
    );
    return Item && parse(Item);
  }

  /** The write of a registration. It replaces an earlier one with its state. */
  registration(kind: ReceiverKind, registered: Registration, now: number): Write {
    const { clientId, tenantId, url, secrets = [] } = registered;
    const item: Receiver = { clientId, tenantId, url, secrets: [...secrets], state: 'active', since: now };
    return { Put: { TableName: this.#table, Item: { ...keyOf[kind](clientId), ...item } } };
  }

  /** The write that ends a registration. What waits for the receiver is dropped with its next attempt. */
  removal(kind: ReceiverKind, clientId: string): Write {
    return { Delete: { TableName: this.#table, Key: keyOf[kind](clientId) } };
  }

  /** @returns false if the secrets changed since they were read */
  async replaceSecrets(seen: Receiver, secrets: readonly SealedSecret[]): Promise<boolean> {
    return await this.#write('callback', seen, { set: { secrets } }, [
      { condition: 'secrets = :before', values: { before: seen.secrets } },
    ]);
  }

  /** The receiver answered a call with success. Writes only what changes. */
  async answered(kind: ReceiverKind, seen: Receiver, { isFast }: { isFast: boolean }, now: number) {
    if (seen.state === 'active' && (seen.fast ?? false) === isFast && seen.pausedUntil === undefined) return;
    const active = seen.state === 'active' ? {} : { state: 'active', since: now };
    const set = { ...active, ...(isFast && { fast: true }) };
    const remove = ['reason', 'pausedUntil', ...(isFast ? [] : ['fast'])];
    await this.#write(kind, seen, { set, remove }, [isStill(seen)]);
  }

  /** The receiver takes long, so its next calls must not hold up those of others. */
  async slow(kind: ReceiverKind, seen: Receiver): Promise<void> {
    if (seen.fast) await this.#write(kind, seen, { remove: ['fast'] });
  }

  /** A call failed. Writes only what changes. */
  async failed(
    kind: ReceiverKind,
    seen: Receiver,
    { reason, pausedUntil }: { reason: string; pausedUntil?: number | undefined },
    now: number,
  ): Promise<void> {
    const isPaused = pausedUntil !== undefined;
    if (seen.state === 'failing' && seen.reason === reason && !isPaused) return;
    const failing = seen.state === 'failing' ? {} : { state: 'failing', since: now };
    const set = { ...failing, reason, ...(isPaused && { pausedUntil }) };
    await this.#write(kind, seen, { set, remove: ['fast'] }, [isStill(seen)]);
  }

  /** The receiver refuses all further calls. */
  async stopped(kind: ReceiverKind, seen: Receiver, reason: string, now: number): Promise<void> {
    const set = { state: 'stopped', since: now, reason };
    await this.#write(kind, seen, { set, remove: ['fast', 'pausedUntil'] });
  }

  /** A test call that succeeded makes the receiver active, whatever its state was. Any other changes nothing else. */
  async tested(kind: ReceiverKind, seen: Receiver, lastTest: ReceiverTest): Promise<void> {
    const { succeeded, at } = lastTest;
    const isRevived = succeeded && seen.state !== 'active';
    const set = { lastTest, ...(isRevived && { state: 'active', since: at }) };
    await this.#write(kind, seen, { set, ...(succeeded && { remove: ['reason', 'pausedUntil'] }) });
  }

  async #write(
    kind: ReceiverKind,
    { clientId, url }: Receiver,
    assignments: Assignments,
    conditions: readonly Condition[] = [],
  ): Promise<boolean> {
    const item = { table: this.#table, key: keyOf[kind](clientId) };
    const isSame = { condition: '#url = :url', names: { '#url': 'url' }, values: { url } };
    return (await assignIf(this.#client, item, assignments, [isSame, ...conditions])).applied;
  }
}

const isStill = ({ state }: Receiver): Condition => ({
  condition: '#state = :state',
  names: { '#state': 'state' },
  values: { state },
});
