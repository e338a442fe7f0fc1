import { GetCommand, type DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Item, Write } from '../../aws/dynamodb-client.ts';
import { isOfGroup } from '../confirmation-store.ts';
import { challengeIdOf } from '../../kernel/identifiers.ts';
import { retainedUntil } from '../confirmation.ts';
import { type Group, groupTransitions, type GroupTransition, type Tally } from './group.ts';

/** What a nonce is used for: by its group, or by a confirmation. */
export type NonceUse = Pick<Group, 'groupId' | 'members'> | 'confirmation';

const toGroup = ({ pk, ttl: _ttl, ...group }: Item): Group => ({ ...group, groupId: pk }) as Group;

/**
 * Groups by their ids, in the table of confirmations. A reservation with the key of a confirmation of the same nonce leads to
 * the group, so that a nonce is used for one question only.
 */
export class GroupStore {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: string;

  constructor(client: DynamoDBDocumentClient, confirmationsTable: string) {
    this.#client = client;
    this.#table = confirmationsTable;
  }

  /** One read. */
  async find(groupId: string, now: number): Promise<Group | undefined> {
    const item = await this.#get(groupId, now);
    return item && isOfGroup(item) ? toGroup(item) : undefined;
  }

  /** One read. */
  async findByNonce(tenantId: string, nonce: string, now: number): Promise<NonceUse | undefined> {
    const item = await this.#get(challengeIdOf(tenantId, nonce), now);
    if (!item) return undefined;
    return isOfGroup(item) ? (item as Exclude<NonceUse, 'confirmation'>) : 'confirmation';
  }

  async #get(pk: string, now: number): Promise<Item | undefined> {
    const { Item: item } = await this.#client.send(
      new GetCommand({ TableName: this.#table, Key: { pk }, ConsistentRead: true }),
    );
    return item && Number(item['expiresAt']) > now - retainedFor ? item : undefined;
  }

  /** The writes of a new group. The first fails if its nonce is in use. */
  create({ groupId, ...group }: Group): Write[] {
    const { tenantId, nonce, members, expiresAt } = group;
    const reservation = { pk: challengeIdOf(tenantId, nonce), groupId, tenantId, members, expiresAt };
    return [reservation, { pk: groupId, ...group }].map((item) => ({
      Put: {
        TableName: this.#table,
        Item: { ...item, ttl: Math.ceil(retainedUntil(group) / 1000) },
        ConditionExpression: 'attribute_not_exists(pk) OR #ttl <= :now',
        ExpressionAttributeNames: { '#ttl': 'ttl' },
        ExpressionAttributeValues: { ':now': Math.floor(group.createdAt / 1000) },
      },
    }));
  }

  /** The write that counts a vote of a pending group as it was read, and ends the group if the vote decides it. */
  count(seen: Group, tally: Tally, now: number, decision?: 'approve' | 'deny'): Write {
    const { confirmedBy, lostBy } = seen;
    return this.#update(seen, {
      set: { ...tally, ...(decision && { status: groupTransitions[decision].to, decidedAt: now }) },
      condition: 'expiresAt > :now AND confirmedBy = :confirmed AND lostBy = :lost',
      values: { ':now': now, ':confirmed': confirmedBy, ':lost': lostBy },
    });
  }

  /** The write that ends a pending group, whatever its votes say. */
  end(group: Group, transition: Exclude<GroupTransition, 'approve' | 'deny'>, now: number): Write {
    const { to, allowed } = groupTransitions[transition];
    return this.#update(group, {
      set: { status: to, ...(allowed === 'before-expiry' && { decidedAt: now }) },
      condition: `expiresAt ${allowed === 'before-expiry' ? '>' : '<='} :now`,
      values: { ':now': now },
    });
  }

  #update(
    { groupId }: Group,
    { set, condition, values }: { set: object; condition: string; values: Record<string, unknown> },
  ): Write {
    const names = Object.keys({ status: '', ...set });
    const assignments = Object.keys(set).map((name) => `#${name} = :${name}`);
    return {
      Update: {
        TableName: this.#table,
        Key: { pk: groupId },
        UpdateExpression: `SET ${assignments.join(', ')}`,
        ConditionExpression: `#status = :pending AND ${condition}`,
        ExpressionAttributeNames: Object.fromEntries(names.map((name) => [`#${name}`, name])),
        ExpressionAttributeValues: {
          ':pending': 'pending',
          ...values,
          ...Object.fromEntries(Object.entries(set).map(([name, value]) => [`:${name}`, value as unknown])),
        },
      },
    };
  }
}

const retainedFor = retainedUntil({ expiresAt: 0 });
