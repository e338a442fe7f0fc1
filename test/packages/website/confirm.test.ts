/** `confirm` and `wait` from the question to their result: also after an abort, and with a service that lies. */
import { setImmediate } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Confirmation, EvidenceError, Omi } from '#website';
import { json, lost, problem, type Reply, ScriptedService } from '../support/scripted-service.ts';
import { asked, claims, confirmation, pending, sha256 } from './support/evidence.ts';
import {
  accepted,
  callsOf,
  confirmedBy,
  credentialsOf,
  ended,
  errorOf,
  nothing,
  pollCall,
  published,
  question,
  sendCall,
  soon,
  tokenCall,
  waiting,
  websiteOf,
  withdrawCall,
} from './support/website.ts';

const service = new ScriptedService(published);
const reason = new Error('The user left.');
const alreadyDecided = problem(409, 'already-decided');

beforeAll(async () => {
  await service.start();
});
afterAll(async () => {
  await service.stop();
});

const thrownBy = async (work: Promise<unknown>): Promise<unknown> =>
  await work.then(
    (value) => ({ resolved: value }),
    (error: unknown) => error,
  );

/** Resolves when the service has got this many requests. */
async function requested(count: number): Promise<void> {
  while (service.requests.length < count) await new Promise((resolve) => setTimeout(resolve, 5));
}

/** An answer that the test gives when it likes. */
function heldBack(reply: Reply): { reply: Reply; give: () => void } {
  let give = (): void => undefined;
  return {
    reply: (response, request) => {
      give = () => {
        reply(response, request);
      };
    },
    give: () => {
      give();
    },
  };
}

describe('the result', () => {
  test('is confirmed, with the verified evidence', async () => {
    service.reply(accepted({ matchCode: '42' }), waiting(), confirmedBy(service));
    const told: Confirmation[] = [];
    const result = await websiteOf(service).confirm({ ...question, onPending: (seen) => told.push(seen) });
    expect(result.status === 'confirmed' && result.evidence).toMatch(/^ey/);
    expect(told).toEqual([{ ...pending({ matchCode: '42' }), ...soon }]);
    expect(callsOf(service)).toEqual([sendCall, pollCall, pollCall]);
    expect(service.requests.map(({ path }) => path).slice(1)).toEqual(
      Array.from({ length: 2 }, () => `/omi/push/confirmation?nonce=${asked.nonce}`),
    );
  });

  test.each<[string, string | undefined]>([
    ['expired', undefined],
    ['cancelled', 'device_removed'],
    ['failed', 'wrong_number'],
    ['denied', 'user_declined'],
  ])('is %s (%s), without an exception', async (status, why) => {
    service.reply(accepted(), ended(status, why));
    const result = await websiteOf(service).confirm(question);
    expect(result).toMatchObject({ status, ...(why !== undefined && { reason: why }) });
  });

  test('is that of the earlier question with the same nonce', async () => {
    const told: Confirmation[] = [];
    service.reply(confirmedBy(service));
    const result = await websiteOf(service).confirm({ ...question, onPending: (seen) => told.push(seen) });
    expect(result.status).toBe('confirmed');
    expect(told).toEqual([]);
    expect(callsOf(service)).toEqual([sendCall]);
  });

  test('is returned even if polls fail meanwhile', async () => {
    service.reply(accepted(), lost, problem(503, 'temporarily-unavailable'), confirmedBy(service));
    await expect(websiteOf(service).confirm(question)).resolves.toMatchObject({ status: 'confirmed' });
    expect(callsOf(service)).toEqual([sendCall, pollCall, pollCall, pollCall]);
  });

  test('is about the details that were sent', async () => {
    const details = [{ type: 'payment', amount: '12.50' }];
    const detailsHash = sha256(JSON.stringify(details));
    const signed = { claims: { ...claims, aud: service.url, detailsHash } };
    service.reply(accepted(), confirmedBy(service, signed));
    await expect(websiteOf(service).confirm({ ...question, details })).resolves.toMatchObject({
      status: 'confirmed',
    });
    service.reply(accepted(), confirmedBy(service));
    expect(await thrownBy(websiteOf(service).confirm({ ...question, details }))).toMatchObject({
      name: 'EvidenceError',
      code: 'detailsHash',
    });
  });
});

describe('the answer of a dishonest service', () => {
  const aud = (): string => service.url;

  test.each<[string, () => Reply]>([
    ['missing', () => json(200, { ...pending(), status: 'confirmed' })],
    [
      'signature',
      () =>
        json(200, {
          ...confirmation({ claims: { ...claims, aud: aud() } }),
          deviceKey: {
            kty: 'EC',
            crv: 'P-256',
            x: 'iGYt0wjdrW1jqaH-pduwzQ82E-Y4bREmzbW1MXIa8vo',
            y: 'lPq2KuiDwrSOiwrT6mRxsv0pVmA7lRNoMqj_nAuJjg0',
          },
        }),
    ],
    [
      'messageHash',
      () => confirmedBy(service, { claims: { ...claims, aud: aud(), messageHash: sha256('x') } }),
    ],
    [
      'challengeId',
      () => confirmedBy(service, { claims: { ...claims, aud: aud(), challengeId: sha256('x') } }),
    ],
    ['decision', () => confirmedBy(service, { claims: { ...claims, aud: aud(), decision: 'deny' } })],
    ['decision', () => json(200, confirmation({ claims: { ...claims, aud: aud() } }, { status: 'denied' }))],
    ['aud', () => confirmedBy(service, { claims })],
    ['iss', () => json(200, confirmation({ claims: { ...claims, aud: aud() } }, { deviceId: 'device-2' }))],
  ])('is rejected by the check "%s"', async (code, reply) => {
    service.reply(accepted(), reply());
    const error = await thrownBy(websiteOf(service).confirm(question));
    expect(error).toBeInstanceOf(EvidenceError);
    expect(error).toMatchObject({ code });
  });

  test('is rejected for another tenant, if the website knows its own', async () => {
    service.reply(accepted(), confirmedBy(service));
    const omi = websiteOf(service, { tenantId: 'tenant-2' });
    expect(await thrownBy(omi.confirm(question))).toMatchObject({ name: 'EvidenceError', code: 'tid' });
  });

  test('is rejected for another device than that of the first answer', async () => {
    const other = 'device-2';
    const signed = {
      header: { alg: 'ES256', typ: 'omi-response+jws', kid: other },
      claims: { ...claims, iss: other },
    };
    service.reply(accepted(), json(200, confirmation(signed, { deviceId: other })));
    expect(await thrownBy(websiteOf(service).confirm(question))).toMatchObject({ code: 'kid' });
  });

  test('is rejected for another key, if the website kept those of the enrolment', async () => {
    service.reply(accepted(), confirmedBy(service));
    const error = await thrownBy(websiteOf(service).confirm({ ...question, knownKeys: [sha256('x')] }));
    expect(error).toMatchObject({ code: 'unknown-key' });
  });
});

describe('an abort', () => {
  const start = (omi: Omi = websiteOf(service), onPending?: () => void) => {
    const controller = new AbortController();
    const work = thrownBy(
      omi.confirm({ ...question, signal: controller.signal, ...(onPending && { onPending }) }),
    );
    return { controller, work };
  };

  test('sends nothing before the call', async () => {
    service.reply();
    const signal = AbortSignal.abort(reason);
    expect(await thrownBy(websiteOf(service).confirm({ ...question, signal }))).toBe(reason);
    expect(await thrownBy(websiteOf(service).wait(question, { signal }))).toBe(reason);
    expect(service.requests).toEqual([]);
  });

  test('withdraws while the user is asked, and rejects after the answer to that', async () => {
    const withdrawal = heldBack(nothing);
    service.reply(accepted(), withdrawal.reply);
    const told = new Promise<void>((resolve) => {
      const { controller, work } = start(websiteOf(service), () => {
        setTimeout(() => {
          controller.abort(reason);
        }, 50);
      });
      void work.then(() => {
        resolve();
      });
      void requested(2).then(async () => {
        await expect(Promise.race([work, Promise.resolve('waits')])).resolves.toBe('waits');
        withdrawal.give();
        expect(await work).toBe(reason);
      });
    });
    await told;
    expect(callsOf(service)).toEqual([sendCall, withdrawCall]);
    expect(service.requests[1]?.path).toContain(asked.nonce);
  });

  test('withdraws after the question has arrived, if it happens during the sending', async () => {
    const sent = heldBack(accepted());
    service.reply(sent.reply, nothing);
    const { controller, work } = start();
    await requested(1);
    controller.abort(reason);
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(callsOf(service)).toEqual([sendCall]);
    sent.give();
    expect(await work).toBe(reason);
    expect(callsOf(service)).toEqual([sendCall, withdrawCall]);
  });

  test('withdraws after a lost answer, and does not send again', async () => {
    service.reply(lost, nothing);
    const { controller, work } = start();
    await requested(1);
    controller.abort(reason);
    expect(await work).toBe(reason);
    expect(callsOf(service)).toEqual([sendCall, withdrawCall]);
  });

  test('has nothing to withdraw if the sending is refused', async () => {
    const sent = heldBack(problem(404, 'device-not-found'));
    service.reply(sent.reply);
    const { controller, work } = start();
    await requested(1);
    controller.abort(reason);
    sent.give();
    expect(await work).toBe(reason);
    expect(callsOf(service)).toEqual([sendCall]);
  });

  test('rejects at once before there is a token, and sends nothing', async () => {
    const token = heldBack(json(200, { access_token: 't1', expires_in: 3600 }));
    service.reply(token.reply);
    const { controller, work } = start(new Omi(credentialsOf(service)));
    await requested(1);
    controller.abort(reason);
    // A withdrawal, for which there is no token either, would be awaited for longer than until the next turn.
    expect(await Promise.race([work, setImmediate()])).toBe(reason);
    token.give();
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(callsOf(service)).toEqual([tokenCall]);
  });

  test('still rejects if the confirmation came first', async () => {
    service.reply(accepted(), alreadyDecided);
    const controller = new AbortController();
    const onPending = (): void => {
      controller.abort(reason);
    };
    const work = websiteOf(service).confirm({ ...question, signal: controller.signal, onPending });
    expect(await thrownBy(work)).toBe(reason);
    expect(callsOf(service)).toEqual([sendCall, withdrawCall]);
  });

  test('does not wait for the answer to a poll', async () => {
    service.reply(accepted(), () => undefined, nothing);
    const { controller, work } = start();
    await requested(2);
    controller.abort(reason);
    expect(await work).toBe(reason);
    expect(callsOf(service)).toEqual([sendCall, pollCall, withdrawCall]);
  });

  test('rejects after 5 seconds if the withdrawal is not answered', async () => {
    const withdrawal = heldBack(nothing);
    service.reply(accepted(), withdrawal.reply);
    const controller = new AbortController();
    const onPending = (): void => {
      controller.abort(reason);
    };
    const begin = performance.now();
    const work = websiteOf(service).confirm({ ...question, signal: controller.signal, onPending });
    expect(await thrownBy(work)).toBe(reason);
    expect(performance.now() - begin).toBeGreaterThan(4_900);
    withdrawal.give();
  });

  test('withdraws during wait, too', async () => {
    service.reply(waiting(), nothing);
    const controller = new AbortController();
    const onPending = (): void => {
      controller.abort(reason);
    };
    const work = websiteOf(service).wait(question, { signal: controller.signal, onPending });
    expect(await thrownBy(work)).toBe(reason);
    expect(callsOf(service)).toEqual([pollCall, withdrawCall]);
  });

  test('only ends the call during poll', async () => {
    service.reply(() => undefined);
    const controller = new AbortController();
    const work = thrownBy(websiteOf(service).poll(asked.nonce, { signal: controller.signal }));
    await requested(1);
    controller.abort(reason);
    expect(await work).toBe(reason);
    expect(callsOf(service)).toEqual([pollCall]);
  });

  test('may have any reason', async () => {
    service.reply(accepted(), nothing);
    const controller = new AbortController();
    const onPending = (): void => {
      controller.abort('left');
    };
    const work = websiteOf(service).confirm({ ...question, signal: controller.signal, onPending });
    expect(await thrownBy(work)).toBe('left');
  });

  test('changes nothing after the result', async () => {
    service.reply(accepted(), confirmedBy(service));
    const { controller, work } = start();
    expect(await work).toMatchObject({ resolved: { status: 'confirmed' } });
    controller.abort(reason);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(callsOf(service)).toEqual([sendCall, pollCall]);
  });
});

describe('an onPending that fails', () => {
  test.each([
    [
      'throws',
      () => {
        throw reason;
      },
    ],
    ['rejects', async () => await Promise.reject(reason)],
  ])('rejects, and withdraws the question, if it %s', async (_, onPending) => {
    service.reply(accepted(), nothing);
    expect(await thrownBy(websiteOf(service).confirm({ ...question, onPending }))).toBe(reason);
    expect(callsOf(service)).toEqual([sendCall, withdrawCall]);
  });
});

test('a question that the service refuses causes an OmiError', async () => {
  service.reply(problem(409, 'confirmation-pending', {}, { 'retry-after': '90' }));
  expect(await errorOf(websiteOf(service).confirm(question))).toMatchObject({
    code: 'confirmation-pending',
    status: 409,
    retryAfter: 90,
  });
});
