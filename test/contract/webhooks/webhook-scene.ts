/** A tenant with a webhook on a running stack, and the server that receives its calls. */
import type { ServerResponse } from 'node:http';
import { expect } from '@jest/globals';
import { laneCount } from '../../../core/export/kinds/records.ts';
import type { Target } from '../../../core/export/targets/target.ts';
import { jsonOn } from '../../cli/omi.ts';
import type { Certificate } from '../../support/certificates.ts';
import { proving, Receiver, type ReceivedCall } from '../../support/receiver.ts';
import { until } from '../../support/waiting.ts';
import type { TestStack } from '../../support/stack.ts';
import { TenantConsole } from '../exports-api/tenant-console.ts';
import { expectOrder } from '../export-faults/arrivals.ts';
import { countsAddUp } from '../export-faults/counts.ts';
import { idsOf, type Recorded, type Source } from '../export-faults/recorded.ts';

/** Answers a call. `take` stores its events, as the tenant's program does before it answers. */
export type Answer = (
  response: ServerResponse,
  call: { take: () => void; number: number; at: number },
) => void | Promise<void>;

export const taking: Answer = (response, { take }) => {
  take();
  response.writeHead(204).end();
};

type Event = { metadata: { eventId: string } };
type Body = { challenge?: string; events?: Event[] };

function bodyOf({ text }: ReceivedCall): Body {
  const body = JSON.parse(text) as Body | { data: Event }[];
  return Array.isArray(body) ? { events: body.map(({ data }) => data) } : body;
}

/** Those that are open. */
const receivers = new Set<Receiver>();

export class WebhookScene {
  readonly console: TenantConsole;
  receiver: Receiver;
  readonly secret: string;
  answer: Answer = taking;
  /** The ids of the events that the tenant has stored, in their order, with duplicates. */
  readonly stored: string[] = [];
  /** The calls with events, whether their events were stored or not. */
  readonly calls: ReceivedCall[] = [];
  readonly #unbroken: Target;

  private constructor(console: TenantConsole, receiver: Receiver, secret: string, unbroken: Target) {
    this.console = console;
    this.receiver = receiver;
    this.secret = secret;
    this.#unbroken = unbroken;
    receiver.behave = this.#behave;
  }

  /** A new tenant. Its webhook is registered and tested as operators do it. */
  static async open(
    stack: TestStack,
    certificate?: Certificate,
    ...options: string[]
  ): Promise<WebhookScene> {
    const console = await TenantConsole.open(stack);
    const receiver = await Receiver.start(proving, certificate && { certificate });
    receivers.add(receiver);
    const target = [console.tenantId, 'public'];
    const json = jsonOn(stack);
    const { secret } = await json<{ secret: string }>(
      ...['target', 'set', 'webhook', ...target, '--url', receiver.url, ...options],
    );
    await json('target', 'test', ...target);
    const unbroken = await console.register.reaches(console.ref(), 'active');
    return new WebhookScene(console, receiver, secret, unbroken);
  }

  static async closeAll(): Promise<void> {
    await Promise.all([...receivers].map(async (receiver) => await receiver.close()));
  }

  get source(): Source {
    return { website: this.console.client, ...this.console.ref() };
  }

  /** How many calls may be made at the same time. */
  get lanes(): number {
    return laneCount(this.#unbroken.destination);
  }

  /** The receiver is gone, and comes back at the same address. */
  async stop(): Promise<() => Promise<void>> {
    const { port } = this.receiver;
    receivers.delete(this.receiver);
    await this.receiver.close();
    return async () => {
      this.receiver = await Receiver.start(this.#behave, { port });
      receivers.add(this.receiver);
    };
  }

  /** Everything was stored, in order for each aggregate, and the target's record counts all of it. */
  async isComplete(recorded: Recorded): Promise<void> {
    const ids = idsOf(recorded);
    await until(() => new Set(this.stored).size >= ids.length);
    expectOrder({ ids: this.stored }, recorded);
    await countsAddUp(this.console, this.console.ref(), this.#unbroken, recorded);
  }

  /** @returns how many are stored, duplicates included, as soon as these have come */
  async untilStored(count: number): Promise<number> {
    await until(() => this.stored.length >= count);
    return this.stored.length;
  }

  /** By event, the ids of the calls in which it came. */
  callsOfEvents(): Map<string, Set<string>> {
    const pairs = this.calls.flatMap((call) =>
      (bodyOf(call).events ?? []).map(
        ({ metadata }) => [metadata.eventId, call.headers['webhook-id']] as const,
      ),
    );
    const byEvent = Map.groupBy(pairs, ([event]) => event);
    return new Map([...byEvent].map(([event, its]) => [event, new Set(its.map(([, id = '']) => id))]));
  }

  expectNoDuplicates(): void {
    expect(this.stored).toHaveLength(new Set(this.stored).size);
  }

  readonly #behave = async (response: ServerResponse, call: ReceivedCall): Promise<void> => {
    const { challenge, events = [] } = bodyOf(call);
    if (challenge !== undefined) {
      response.writeHead(200).end(JSON.stringify({ challenge }));
      return;
    }
    this.calls.push(call);
    const take = () => void this.stored.push(...events.map(({ metadata }) => metadata.eventId));
    await this.answer(response, { take, number: this.calls.length, at: call.at });
  };
}
