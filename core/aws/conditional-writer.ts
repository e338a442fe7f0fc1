import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { UpdateCommand, type DynamoDBDocumentClient, type UpdateCommandInput } from '@aws-sdk/lib-dynamodb';
import { ConditionsFailed, transact, unmarshallItem, type Item, type Write } from './dynamodb-client.ts';

export type ConditionalUpdate = {
  table: string;
  key: NonNullable<UpdateCommandInput['Key']>;
  update: string;
  condition: string;
  /** By their placeholders, `#` included. */
  names: Record<string, string>;
  /** By their placeholders, without the colon. */
  values: Record<string, unknown>;
  /** Writes of the same transaction. Their own conditions always hold. */
  together?: readonly Write[];
};

/** Attributes that a write changes; those of `setIfAbsent` only where the item does not have them. */
export type Assignments = {
  set?: Record<string, unknown>;
  setIfAbsent?: Record<string, unknown>;
  remove?: readonly string[];
};

/** A condition on the item as it is before the write. Names and values are by their placeholders, as in an update. */
export type Condition = Pick<ConditionalUpdate, 'condition'> &
  Partial<Pick<ConditionalUpdate, 'names' | 'values'>>;

export type Update = Pick<ConditionalUpdate, 'update' | 'names' | 'values'>;

/** Placeholders begin with `to_`, apart from those of conditions. */
export function updateOf({ set = {}, setIfAbsent = {}, remove = [] }: Assignments): Update {
  const values = { ...set, ...setIfAbsent };
  const sets = [
    ...Object.keys(set).map((name) => `#to_${name} = :to_${name}`),
    ...Object.keys(setIfAbsent).map((name) => `#to_${name} = if_not_exists(#to_${name}, :to_${name})`),
  ];
  const clauses = [
    ...(sets.length > 0 ? [`SET ${sets.join(', ')}`] : []),
    ...(remove.length > 0 ? [`REMOVE ${remove.map((name) => `#to_${name}`).join(', ')}`] : []),
  ];
  return {
    update: clauses.join(' '),
    names: Object.fromEntries([...Object.keys(values), ...remove].map((name) => [`#to_${name}`, name])),
    values: Object.fromEntries(Object.entries(values).map(([name, value]) => [`to_${name}`, value])),
  };
}

/** Whether the write was made, and the item as it is now; a transaction does not return it. */
export type Written = { applied: boolean; item: Item | undefined };

/** One write that happens if its condition holds. Returns the item as it is now either way, unless others are written with it. */
export async function updateIf(
  client: DynamoDBDocumentClient,
  { table, key, update, condition, names, values, together = [] }: ConditionalUpdate,
): Promise<Written> {
  const input = {
    TableName: table,
    Key: key,
    UpdateExpression: update,
    ConditionExpression: condition,
    ...(Object.keys(names).length > 0 && { ExpressionAttributeNames: names }),
    ExpressionAttributeValues: Object.fromEntries(
      Object.entries(values).map(([name, value]) => [`:${name}`, value]),
    ),
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const,
  };
  if (together.length > 0) return await updateTogether(client, [{ Update: input }, ...together]);
  const command = new UpdateCommand({ ...input, ReturnValues: 'ALL_NEW' });
  try {
    const { Attributes } = await client.send(command);
    return { applied: true, item: Attributes };
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
    return { applied: false, item: error.Item && unmarshallItem(error.Item) };
  }
}

async function updateTogether(client: DynamoDBDocumentClient, writes: Write[]): Promise<Written> {
  try {
    await transact(client, writes);
    return { applied: true, item: undefined };
  } catch (error) {
    if (!(error instanceof ConditionsFailed)) throw error;
    return { applied: false, item: error.refused.get(0) };
  }
}

/** The same for whole attributes: all of the assignments, if all of the conditions hold. */
export async function assignIf(
  client: DynamoDBDocumentClient,
  item: Pick<ConditionalUpdate, 'table' | 'key' | 'together'>,
  assignments: Assignments,
  conditions: readonly Condition[],
): Promise<Written> {
  const { update, names, values } = updateOf(assignments);
  return await updateIf(client, {
    ...item,
    update,
    condition: conditions.map(({ condition }) => condition).join(' AND '),
    names: Object.assign(names, ...conditions.map((one) => one.names)) as Update['names'],
    values: Object.assign(values, ...conditions.map((one) => one.values)) as Update['values'],
  });
}
