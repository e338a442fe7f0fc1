/** What may be wrong with a tenant's receiver, and what the target's record says of it. */
import { setTimeout as wait } from 'node:timers/promises';
import { expect } from '@jest/globals';
import type { Certificate } from '../../support/certificates.ts';
import { type Answer, taking, type WebhookScene } from './webhook-scene.ts';

type Told = { state: 'degraded' | 'parked'; actor: 'nobody' | 'tenant'; code: string; reason: RegExp };

export type Trouble = {
  /** Makes the trouble. The function that it returns ends it, and may look at what happened. */
  begin: (scene: WebhookScene) => Promise<() => Promise<void>>;
  /** Missing if the service has nothing to tell. */
  told?: Told;
  certificate?: Certificate;
  /** True if the receiver may have stored events without an answer. */
  mayRepeat?: true;
};

const answering =
  (answer: Answer): Trouble['begin'] =>
  async (scene) => {
    scene.answer = answer;
    return await Promise.resolve(async () => {
      scene.answer = taking;
      await Promise.resolve();
    });
  };

const presenting =
  (certificate: Certificate): Trouble['begin'] =>
  async ({ receiver }) => {
    receiver.present(certificate);
    return await Promise.resolve(async () => {
      receiver.present('valid');
      await Promise.resolve();
    });
  };

const certificateTold = (code: string): Told => ({
  state: 'parked',
  actor: 'tenant',
  code: `Webhook.${code}`,
  reason: /certificate is not valid .* must install/,
});

/** Milliseconds for which the receiver asks for no call. */
const demandedMs = 3_000;

const throttling: Trouble['begin'] = async (scene) => {
  let [since, calls, most, isOver] = [0, 0, 0, false];
  scene.answer = async (response, call) => {
    if (call.at - since >= demandedMs) {
      if (isOver) {
        scene.answer = taking;
        await taking(response, call);
        return;
      }
      [since, calls] = [call.at, 0];
    }
    calls += 1;
    most = Math.max(most, calls);
    response.writeHead(429, { 'retry-after': String(demandedMs / 1_000) }).end();
  };
  return await Promise.resolve(async () => {
    isOver = true;
    while (scene.answer !== taking) await wait(20);
    // The lanes are called at the same time.
    expect(most).toBeLessThanOrEqual(scene.lanes);
  });
};

export const troubles: Record<string, Trouble> = {
  'is not reachable': {
    begin: async (scene) => await scene.stop(),
    told: { state: 'parked', actor: 'tenant', code: 'Webhook.ECONNREFUSED', reason: /must start it/ },
  },
  'never answers': {
    begin: answering(() => undefined),
    told: { state: 'degraded', actor: 'nobody', code: 'Timeout', reason: /did not answer in time/ },
  },
  'answers 429 with Retry-After': {
    begin: throttling,
    told: { state: 'degraded', actor: 'nobody', code: 'Webhook.Http429', reason: /no call before/ },
  },
  'stores events and cuts the connection before it answers': {
    begin: answering((response, { take }) => {
      take();
      response.destroy();
    }),
    told: { state: 'degraded', actor: 'nobody', code: 'Webhook.NoAnswer', reason: /without an answer/ },
    mayRepeat: true,
  },
  'has an expired certificate': {
    begin: presenting('expired'),
    told: certificateTold('CERT_HAS_EXPIRED'),
    certificate: 'valid',
  },
};
