import { Omi, type OmiKeys } from '@omi/website';
import { Clock } from './clock.ts';
import type { Fault } from './faults.ts';
import type { Intent } from './intent.ts';
import type { AskedQuestion } from './questions.ts';
import { type Intents, TestService } from './service.ts';
import { SigningKey } from './signing-key.ts';
import type { Site } from './site.ts';

export type TestOmiOptions = {
  /** What each user does. */
  users?: Readonly<Record<string, Intent>> | undefined;
  /** What all others do: `confirms` by default. */
  otherwise?: Intent | undefined;
  /** Whether your website has callbacks: its routes then wait for {@link TestOmi.callBack}, and poll only after half a minute. */
  callbacks?: boolean | undefined;
};

export type TestUser = {
  /** What the user does from now on, also with what is open. */
  will(intent: Intent): void;
};

/** What `new Omi` gives, with users who answer by themselves. Made by {@link testOmi}. */
export class TestOmi extends Omi {
  /** The keys of its receipts, as `GET /.well-known/omi-keys` has them. */
  readonly keys: OmiKeys;
  readonly #service: TestService;
  readonly #clock: Clock;

  constructor(site: Site, intents: Intents, hasCallbacks: boolean) {
    const { baseUrl, tenantId, clock } = site;
    const service = new TestService(site, intents);
    const token = async (): Promise<string> => await Promise.resolve('test');
    const { now, sleep } = clock;
    const callbackSecret = hasCallbacks ? service.callbacks.secret : undefined;
    const fetch = service.fetch;
    super({ baseUrl, tenantId, token, callbackSecret, testUsers: true, fetch, now, sleep });
    this.keys = service.keys;
    this.#service = service;
    this.#clock = clock;
  }

  /** What was sent, newest last. */
  get asked(): readonly AskedQuestion[] {
    return this.#service.asked;
  }

  user(userId: string): TestUser {
    return {
      will: (intent) => {
        this.#service.settle();
        this.#service.user(userId).will(intent);
      },
    };
  }

  /** The next calls of the service go wrong. The package repeats what is safe, as it does in production. */
  fails(fault: Fault, { times = 1 }: { times?: number } = {}): void {
    this.#service.faults.add(fault, times);
  }

  /**
   * Tells your receiver of each end that it was not told of, as the service's callbacks do: signed requests, one after the other.
   *
   * @param url where they are sent: your routes look at the path
   * @returns what the receiver answered
   */
  async callBack<Answer>(
    receiver: (request: Request) => Answer | Promise<Answer>,
    url = 'https://shop.test/omi/callback',
  ): Promise<Answer[]> {
    const { callbacks } = this.#service;
    const answers: Answer[] = [];
    for (const request of callbacks.requests(this.#service.ends(), url))
      answers.push(await receiver(request));
    return answers;
  }

  /** Turns the clock forward. */
  advance(milliseconds: number): void {
    this.#clock.advance(milliseconds);
  }
}

/** The service in the process of a test: nothing to start, no port, no network. */
export function testOmi({
  users = {},
  otherwise = 'confirms',
  callbacks = false,
}: TestOmiOptions = {}): TestOmi {
  const site = {
    baseUrl: 'https://omi.test',
    tenantId: '00000000-0000-4000-8000-000000000000',
    receipts: new SigningKey(),
    clock: new Clock(),
  };
  return new TestOmi(site, { users, otherwise }, callbacks);
}
