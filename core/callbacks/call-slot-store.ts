import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { DeleteCommand, PutCommand, type DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { seconds } from '../kernel/time.ts';
import type { Receiver } from './receiver.ts';

/** A call that may be made now. */
export type CallSlot = { pk: string; sk: string; until: number };

/** Longer than a call. A slot of a Lambda that died is free again after this time. */
const longestSlotMs = 15 * seconds;
const tries = 3;

/**
 * How many calls of a receiver may be under way at once, unless it answers quickly. A receiver that takes its ten seconds
 * needs many to keep up. One that fails gets two, so that it takes little of what all receivers share.
 */
const slotsOf = ({ state }: Receiver): number => (state === 'active' ? 20 : 2);

/** Slots for calls of receivers that are slow, failing or not known yet. Each slot is an item, so slots do not collide. */
export class CallSlotStore {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: string;

  constructor(client: DynamoDBDocumentClient, table: string) {
    this.#client = client;
    this.#table = table;
  }

  /** @returns undefined if none of a few that were tried is free */
  async take(
    receiver: Receiver,
    now: number,
    random: () => number = Math.random,
  ): Promise<CallSlot | undefined> {
    const slots = slotsOf(receiver);
    const first = Math.floor(random() * slots);
    for (let index = 0; index < Math.min(tries, slots); index += 1) {
      const sk = String((first + index) % slots);
      const slot = { pk: `slots#${receiver.clientId}`, sk, until: now + longestSlotMs };
      if (await this.#isTaken(slot, now)) return slot;
    }
    return undefined;
  }

  async #isTaken(slot: CallSlot, now: number): Promise<boolean> {
    return await this.#isWritten(
      new PutCommand({
        TableName: this.#table,
        Item: { ...slot, ttl: Math.ceil(slot.until / 1000) },
        ConditionExpression: 'attribute_not_exists(pk) OR #until <= :now',
        ExpressionAttributeNames: { '#until': 'until' },
        ExpressionAttributeValues: { ':now': now },
      }),
    );
  }

  /** A slot that took too long may be another call's by now, and then stays. */
  async release({ pk, sk, until }: CallSlot): Promise<void> {
    await this.#isWritten(
      new DeleteCommand({
        TableName: this.#table,
        Key: { pk, sk },
        ConditionExpression: '#until = :until',
        ExpressionAttributeNames: { '#until': 'until' },
        ExpressionAttributeValues: { ':until': until },
      }),
    );
  }

  async #isWritten(command: PutCommand | DeleteCommand): Promise<boolean> {
    try {
      await (command instanceof PutCommand ? this.#client.send(command) : this.#client.send(command));
      return true;
    } catch (error) {
      if (error instanceof ConditionalCheckFailedException) return false;
      throw error;
    }
  }
}
