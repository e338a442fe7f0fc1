import { generateKeyPairSync, randomUUID } from 'node:crypto';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { AcceptanceStore } from '../../core/events/acceptance-store.ts';
import { EventArchiveStore } from '../../core/events/event-archive-store.ts';
import { EventIndexStore } from '../../core/events/event-index-store.ts';
import { EventStore } from '../../core/events/event-store.ts';
import type { Event, PublicEvent } from '../../core/events/event.ts';
import { OwnEvents } from '../../core/events/own-event-store.ts';
import type { Category, TargetRef } from '../../core/events/target-ref.ts';
import { BusyMinuteStore } from '../../core/export/log/busy-minute-store.ts';
import type { NamedLogKey } from '../../core/export/log/checkpoint.ts';
import { closeMinutes, type ClosingDeps } from '../../core/export/log/close-minutes.ts';
import { GrownLogStore } from '../../core/export/log/grown-log-store.ts';
import { LeafStore } from '../../core/export/log/leaf-store.ts';
import { LogStore } from '../../core/export/log/log-store.ts';
import { minuteOf } from '../../core/export/log/minute.ts';
import { publicJwkOf } from '../../core/keys/public-jwk.ts';
import { minutes } from '../../core/kernel/time.ts';
import { signDigest } from '../../tools/local/aws/stand-ins/kms/signatures.ts';
import { testDatabase } from './dynamodb.ts';

export const baseUrl = 'https://api.omi.example';

/** A key that signs as KMS does, and its entry in the record of all keys. */
export function newLogKey() {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const jwk = publicJwkOf(publicKey.export({ type: 'spki', format: 'der' }), 'log');
  let signatures = 0;
  const key: NamedLogKey = {
    kid: jwk.kid,
    key: {
      signDer: async (digest) => {
        signatures += 1;
        return await Promise.resolve(signDigest(privateKey, Buffer.from(digest)));
      },
    },
  };
  const published = { ...jwk, for: 'log' as const, from: '2026-01-01T00:00:00.000Z' };
  return { key, published, signatures: () => signatures };
}

/** Logs of a tenant in a database of its own. */
export class LogWorld {
  readonly client: DynamoDBDocumentClient;
  readonly tenantId = randomUUID() as string;
  readonly logs: LogStore;
  readonly leaves: LeafStore;
  readonly deps: ClosingDeps;
  readonly busy: BusyMinuteStore;
  readonly proofs: { logs: LogStore; leaves: LeafStore; events: AcceptanceStore };
  readonly grown: GrownLogStore;
  readonly events: OwnEvents;
  readonly signing: ReturnType<typeof newLogKey>;

  private constructor(client: DynamoDBDocumentClient, signing: ReturnType<typeof newLogKey>) {
    this.client = client;
    this.signing = signing;
    this.logs = new LogStore(client, 'log');
    this.leaves = new LeafStore(client, 'log');
    this.busy = new BusyMinuteStore(client, 'log');
    this.grown = new GrownLogStore(client, 'log');
    this.events = new OwnEvents(client, 'events');
    this.deps = {
      busy: this.busy,
      index: new EventIndexStore(client, 'events'),
      archive: new EventArchiveStore(client, 'events'),
      logs: this.logs,
      leaves: this.leaves,
      checkpoints: { logs: this.logs, key: signing.key, baseUrl },
    };
    this.proofs = { logs: this.logs, leaves: this.leaves, events: new AcceptanceStore(client, 'events') };
  }

  static async start(signing = newLogKey(), client?: DynamoDBDocumentClient): Promise<LogWorld> {
    return new LogWorld(client ?? (await testDatabase({ events: 'events', log: 'log' })), signing);
  }

  /** The same tables, for another tenant. */
  another(): LogWorld {
    return new LogWorld(this.client, this.signing);
  }

  ref(category: Category = 'public'): TargetRef {
    return { tenantId: this.tenantId, category };
  }

  event(aggregateId = randomUUID() as string, eventId = randomUUID() as string): PublicEvent {
    return {
      metadata: {
        ...{ eventId, metadataVersion: '1.0', occurredTime: '2026-01-01T00:00:00Z', producerId: 'identity' },
        ...{ producerInstanceId: 'identity-1', tenantId: this.tenantId, aggregateId, category: 'public' },
        ...{ payloadVersion: '1.0', type: 'UserCreatedEvent' },
      },
      payload: { userId: 'anna' },
    };
  }

  /** Accepts events, and marks their minute as the exporter does. */
  async accept(events: readonly Event[], at: number, markedAt = at): Promise<void> {
    const taken = await new EventStore(this.client, 'events', () => at).append(this.tenantId, events);
    if (taken.length > 0) throw new Error('The events were not accepted.');
    const refs = new Set(events.map(({ metadata }) => metadata.category));
    await new BusyMinuteStore(this.client, 'log').mark(
      [...refs].map((category) => ({ ref: this.ref(category), minute: minuteOf(at) })),
      markedAt,
    );
  }

  async close(now: number, deps = this.deps): Promise<void> {
    await closeMinutes(deps, now, Date.now() + minutes);
  }

  /** As `omi restore` does. Nothing of the tables was taken back. */
  async restore(category: Category = 'public'): Promise<void> {
    const head = await this.logs.head(this.ref(category));
    await this.logs.end(head, head.log.generation + 1);
  }

  /** What was closed, oldest first. */
  async closed(category: Category = 'public') {
    const { log } = await this.logs.head(this.ref(category));
    return await this.logs.minutes(log, { first: '0', end: '9' }, 1_000);
  }
}
