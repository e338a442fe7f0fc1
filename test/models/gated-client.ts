import { GetCommand, TransactWriteCommand, type DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Gate } from './gate.ts';

/** The steps of a call that others may come between: the read of its group, and its transaction. */
export type Place = 'group' | 'commit';
export type Commit = 'done' | 'conflict';

export type GatedClient = { client: DynamoDBDocumentClient; lastCommit: () => Commit | undefined };

/** A client whose caller waits at the gate before each of these steps. */
export function gatedClient(
  client: DynamoDBDocumentClient,
  gate: Gate<Place>,
  groupId: string | undefined,
): GatedClient {
  let last: Commit | undefined;
  const send = async (command: Parameters<DynamoDBDocumentClient['send']>[0]): Promise<unknown> => {
    const place = placeOf(command, groupId);
    if (place) await gate.pass(place);
    if (place !== 'commit') return await client.send(command);
    last = 'conflict';
    const result = await client.send(command);
    last = 'done';
    return result;
  };
  const gated = new Proxy(client, {
    get: (target, name) => (name === 'send' ? send : (Reflect.get(target, name) as unknown)),
  });
  return { client: gated, lastCommit: () => last };
}

function placeOf(command: unknown, groupId: string | undefined): Place | undefined {
  if (command instanceof GetCommand && groupId !== undefined && command.input.Key?.['pk'] === groupId)
    return 'group';
  const writes = command instanceof TransactWriteCommand ? (command.input.TransactItems ?? []) : [];
  // That which forgets an endpoint after a removal only deletes.
  return writes.some(({ Put }) => Put) ? 'commit' : undefined;
}
