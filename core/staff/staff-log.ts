import type { StaffMember } from '../access/staff-member.ts';
import { type DynamoDBDocumentClient, transact, type Write } from '../aws/dynamodb-client.ts';
import { eventWrites } from '../events/event-items.ts';
import { type LoggedAct, logEventOf, type Producer, type RequestContext } from '../events/event.ts';
import type { StaffLogType } from '../events/own-events.ts';

export type ActContext = RequestContext & { member: StaffMember };

/** What a member of staff does, in the terms of its event. */
export type Act = {
  tenantId: string;
  type: StaffLogType;
  description: string;
  /** Beside the member's id. */
  payload: Record<string, unknown>;
};

const tagOf = ({ type }: Act): LoggedAct['tag'] => {
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
  writes(act: Act, { member: { memberId }, ...context }: ActContext): Write[] {
    const { tenantId, payload } = act;
    const described = { ...act, agent: memberId, tag: tagOf(act), payload: { memberId, ...payload } };
    const event = logEventOf(described, context, this.#producer);
    return eventWrites(this.#table, { tenantId, events: [event], acceptedAt: context.now, by: 'service' });
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
