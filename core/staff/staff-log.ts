import { v7 as uuidv7 } from 'uuid';
import type { StaffMember } from '../access/staff-member.ts';
import { type DynamoDBDocumentClient, transact, type Write } from '../aws/dynamodb-client.ts';
import { eventWrites } from '../events/event-items.ts';
import { type LogEvent, producedBy, type Producer, type RequestContext } from '../events/event.ts';
import type { StaffLogType } from '../events/own-events.ts';
import { rfc3339 } from '../kernel/time.ts';

export type ActContext = RequestContext & { member: StaffMember };

/** What a member of staff does, in the terms of its event. */
export type Act = {
  tenantId: string;
  type: StaffLogType;
  description: string;
  /** Beside the member's id. */
  payload: Record<string, unknown>;
};

const tagOf = ({ type }: Act): string => {
  if (type === 'StaffUserViewedEvent' || type === 'StaffTenantViewedEvent') return 'PRIVACY';
  return type.startsWith('StaffExport') ? 'LIFECYCLE' : 'CREDENTIAL_MANAGEMENT';
};

/** Tells a tenant, in its log, what the help desk does. No act without its event, no event without its act. */
export class StaffLog {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: string;
  readonly #producer: Producer;

  constructor(client: DynamoDBDocumentClient, table: string, producer: Producer) {
    this.#client = client;
    this.#table = table;
    this.#producer = producer;
  }

  /** For the transaction of the act. */
  writes(act: Act, { now, origin, member }: ActContext): Write[] {
    const { tenantId, type, description, payload } = act;
    const { memberId } = member;
    const event: LogEvent = {
      metadata: {
        agent: memberId,
        category: 'log',
        description,
        eventId: uuidv7(),
        ...(origin.hostIp !== undefined && { hostIp: origin.hostIp }),
        metadataVersion: '1.0',
        occurredTime: rfc3339(now),
        ...producedBy(this.#producer),
        tenantId,
        tags: [tagOf(act)],
        traceId: origin.traceId,
        type,
      },
      payload: { memberId, ...payload },
    };
    return eventWrites(this.#table, { tenantId, events: [event], acceptedAt: now, by: 'service' });
  }

  /**
   * One transaction; the positions of a {@link ConditionsFailed} are those of `changes`.
   *
   * @throws {ConditionsFailed} {@link ConflictError}
   */
  async commit(changes: readonly Write[], act: Act, context: ActContext): Promise<void> {
    await transact(this.#client, [...changes, ...this.writes(act, context)]);
  }
}
