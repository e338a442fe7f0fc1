import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { expect, test } from '@jest/globals';
import { eventKey } from '../../../core/events/event-keys.ts';
import type { Event } from '../../../core/events/event.ts';
import { minutes } from '../../../core/kernel/time.ts';
import { localTables } from '../../../tools/local/resources/tables.ts';
import { accessAs, using } from '../../../tools/local/seed/aws-access.ts';
import { jsonOn, omiOn } from '../../cli/omi.ts';
import type { TestStack } from '../../support/stack.ts';
import { TenantConsole } from '../exports-api/tenant-console.ts';
import { earlierHour, recordEarlier } from '../ledger/earlier-events.ts';
import { checkpointOf, untilClosed } from './log-console.ts';

/** What somebody with access to the tables does. */
async function edit(stack: TestStack, tenantId: string, event: Event): Promise<void> {
  await using(new DynamoDBClient(accessAs('OPERATOR', stack.file.aws, 'dynamodb')), async (client) => {
    await DynamoDBDocumentClient.from(client).send(
      new UpdateCommand({
        ...{ TableName: localTables.events, Key: eventKey(tenantId, event) },
        ...{ UpdateExpression: 'SET #event = :event', ExpressionAttributeNames: { '#event': 'event' } },
        ExpressionAttributeValues: { ':event': JSON.stringify(event).replace('alice', 'mallory') },
      }),
    );
  });
}

export function verifyCommand(stack: TestStack): void {
  const file = async (name: string, text: string): Promise<string> => {
    const path = join(stack.directory, name);
    await writeFile(path, text);
    return path;
  };

  test('verifies a log with an earlier checkpoint, and finds an event that was edited in the table', async () => {
    const one = await TenantConsole.open(stack);
    const start = earlierHour();
    await recordEarlier(stack, one.ref(), 2, start);
    await untilClosed(one, 1);
    const kept = await file('kept.txt', await checkpointOf(one));
    const [event] = await recordEarlier(stack, one.ref(), 1, start + 7 * minutes);
    await untilClosed(one, 2);
    const verify = ['log', 'verify', one.tenantId, 'public', '--checkpoint', kept];
    const { checkpoint, ...result } = await jsonOn(stack)(...verify);
    expect(result).toMatchObject({ ok: true, size: 2, compared: 3, open: 0, findings: [] });
    expect(checkpoint).toContain(`/${one.tenantId}/public\n1\n`);
    const people = await omiOn(stack)([...verify, '--days', '1']);
    expect(people).toMatchObject({
      code: 0,
      out: expect.stringContaining('nothing was changed') as unknown,
    });
    expect(people.err).toMatch(/3 events of the log compared, up to the end of \S+h UTC/);
    if (!event) throw new Error('No event was recorded.');
    await edit(stack, one.tenantId, event);
    const { code, out, err } = await omiOn(stack)(['--json', ...verify]);
    const { eventId } = event.metadata;
    expect(JSON.parse(out)).toMatchObject({ ok: false, findings: [{ fault: 'edited', eventId }] });
    expect({ code, err }).toEqual({
      code: 1,
      err: expect.stringContaining('When the log does not verify') as unknown,
    });
  });
}
