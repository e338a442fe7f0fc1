import type { DynamoDBRecord } from 'aws-lambda';
import type { EndedMessage } from '../../core/callbacks/callback-message.ts';
import type { ReceiverKind } from '../../core/callbacks/receiver.ts';
import type { Expiry } from '../../core/confirmations/expiry-queue.ts';
import { notifyCodes } from '../../core/confirmations/notify-codes.ts';
import { mayNameTestUser } from '../../core/kernel/test-users.ts';
import { logger } from '../../core/kernel/observability.ts';

export type Sequenced<Message> = Message & { sequenceNumber: string };

/** What a record asks for: the expiry of a confirmation that was sent, or the callbacks of one that has ended. */
export type Wanted = { expiries: Sequenced<Expiry>[]; ended: Sequenced<EndedMessage>[] };

const kindsOf: Partial<Record<string, readonly ReceiverKind[]>> = {
  [notifyCodes.callback]: ['callback'],
  [notifyCodes.ping]: ['ping'],
  [notifyCodes.both]: ['callback', 'ping'],
};

/** The partition key of an event is `tenant#aggregate`, and the aggregate of a confirmation is its challenge. */
export function readRecord({ dynamodb }: DynamoDBRecord): Wanted {
  const { NewImage: image = {}, SequenceNumber: sequenceNumber = '' } = dynamodb ?? {};
  const [tenantId, challengeId] = image['pk']?.S?.split('#') ?? [];
  const eventId = image['sk']?.S;
  const isForTests = mayNameTestUser(image['event']?.S ?? '');
  const expiresAt = Number(image['expiresAt']?.N);
  const kinds = kindsOf[image['notify']?.S ?? ''];
  const isEnded = kinds !== undefined && eventId !== undefined;
  if (tenantId && challengeId && (expiresAt > 0 || isEnded)) {
    return {
      // A test user answers when the message comes.
      expiries:
        expiresAt > 0
          ? [{ tenantId, challengeId, expiresAt: isForTests ? Date.now() : expiresAt, sequenceNumber }]
          : [],
      ended: isEnded ? kinds.map((kind) => ({ kind, tenantId, challengeId, eventId, sequenceNumber })) : [],
    };
  }
  // A failure would block all records behind it.
  logger.error('unreadable', { sequenceNumber });
  return { expiries: [], ended: [] };
}
