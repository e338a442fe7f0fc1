/** What the service refuses because of the user reaches the page, and an element has a sentence for it. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { problemDocument, problems } from '../../../core/http/problems.ts';
import { Refusal, type RefusalCode } from '../../../core/kernel/refusal.ts';
import { type RouteLambda, routes } from '../../../lambdas/routes.ts';
import { initial, type Message, type Step } from '../../../packages/elements/src/confirmation/state.ts';
import { dictionary as confirmationTexts } from '../../../packages/elements/src/confirmation/texts/dictionary.ts';
import { update as confirmation } from '../../../packages/elements/src/confirmation/update.ts';
import { viewOf as viewOfConfirmation } from '../../../packages/elements/src/confirmation/view.ts';
import {
  type Message as EnrolmentMessage,
  type Step as EnrolmentStep,
} from '../../../packages/elements/src/enrolment/state.ts';
import { dictionary as enrolmentTexts } from '../../../packages/elements/src/enrolment/texts/dictionary.ts';
import { update as enrolment } from '../../../packages/elements/src/enrolment/update.ts';
import { viewOf as viewOfEnrolment } from '../../../packages/elements/src/enrolment/view.ts';
import { refusals } from '../../../tools/documents/api/refusals.ts';
import { StaffCaller } from '../../support/staff.ts';
import { useSharedStack } from '../../support/use-stack.ts';
import { afterIntervalMs, signedIn } from '../website/routes/support/story.ts';
import type { Answer, Visitor } from '../website/routes/support/visitor.ts';

const stack = useSharedStack();

test('a suspended user is told so, and the website reports no fault of its own', async () => {
  const { website, visitor, phone } = await signedIn(stack);
  const [{ tenantId }] = stack.file.tenants;
  const sam = await StaffCaller.of(stack.file, 'sam');
  await sam.post(`/users/${phone.identity.userId}/acts`, { tenantId, act: 'suspend' });
  expect(await visitor.ask()).toMatchObject({
    status: 403,
    body: {
      code: 'user-suspended',
      detail: 'The help desk has suspended the user: do not carry the action out.',
    },
  });
  expect(website.errors).toEqual([]);
});

type Answered = { status: number; code: string };

const timing = { id: 'x', expiresInMs: 60_000, interval: 1, deadline: 60_000, isLost: false };

/** The name of the sentence that `<omi-confirmation>` shows after an answer. */
function saidAt(step: Step, messageOf: (refusal: Answered) => Message): (refusal: Answered) => string {
  return (refusal) => {
    const device = { deviceId: 'phone', name: 'Phone', status: 'active' } as const;
    const [state] = confirmation({ ...initial, step, devices: [device] }, messageOf(refusal), 0);
    return viewOfConfirmation(state, confirmationTexts.english, 0).says;
  };
}

function saidByEnrolment(
  step: EnrolmentStep,
  messageOf: (refusal: Answered) => EnrolmentMessage,
): (refusal: Answered) => string {
  return (refusal) => {
    const [state] = enrolment({ step, run: 0 }, messageOf(refusal), 0);
    return viewOfEnrolment(state, enrolmentTexts.english, 0).says;
  };
}

const pending = {
  ...timing,
  at: 'pending',
  message: 'Pay?',
  delivery: 'sent',
  isLeaving: false,
} as const satisfies Step;

const afterSending = saidAt({ at: 'sending' }, (refusal) => ({ type: 'not-sent', run: 0, refusal }));
const afterLook = saidAt(pending, (refusal) => ({ type: 'refused', id: 'x', refusal }));

type Ids = { confirmation: string; enrolment: string; deviceId: string };
type Operation = {
  call: (visitor: Visitor, ids: Ids) => Promise<Answer>;
  saidAfter: (refusal: Answered) => string;
};

/** The calls of the service that the routes make for a page. */
const operations: Partial<Record<RouteLambda, Operation>> = {
  'list-devices': {
    call: async (visitor) => await visitor.call('GET', '/omi/devices'),
    saidAfter: saidAt({ at: 'loading', startsThen: false }, (refusal) => ({ type: 'no-devices', refusal })),
  },
  'send-to-user': { call: async (visitor) => await visitor.ask(), saidAfter: afterSending },
  'send-to-device': {
    call: async (visitor, { deviceId }) =>
      await visitor.call('POST', `/omi/confirmations?device=${deviceId}`, { amount: '20' }),
    saidAfter: afterSending,
  },
  'get-confirmation': {
    call: async (visitor, ids) => await visitor.look(ids.confirmation),
    saidAfter: afterLook,
  },
  'withdraw-confirmation': {
    call: async (visitor, ids) => await visitor.call('DELETE', `/omi/confirmations/${ids.confirmation}`),
    saidAfter: afterLook,
  },
  'start-enrolment': {
    call: async (visitor) => await visitor.call('POST', '/omi/enrolments', {}),
    saidAfter: saidByEnrolment({ at: 'starting' }, (refusal) => ({ type: 'not-started', run: 0, refusal })),
  },
  'get-enrolment': {
    call: async (visitor, ids) => await visitor.call('GET', `/omi/enrolments/${ids.enrolment}`),
    saidAfter: saidByEnrolment({ ...timing, at: 'waiting', link: 'https://app.example.org' }, (refusal) => ({
      type: 'not-looked',
      id: 'x',
      refusal,
    })),
  },
};

/** The page can do nothing about these: the website's developer or operator must. */
const ofTheWebsite: ReadonlySet<RefusalCode> = new Set([
  'invalid-request',
  'invalid_authorization_details',
  'unauthorized',
  'nonce-already-used',
  'too-large',
  'unsupported-media-type',
]);

const cases = Object.entries(operations).flatMap(([lambda, operation]) =>
  refusals[lambda as RouteLambda].map((code) => ({ lambda, code, ...operation })),
);
/** `temporarily-unavailable` passes by itself: the package repeats the call, and the page gets 503. */
const ofTheUser = cases.filter(({ code }) => code !== 'temporarily-unavailable' && !ofTheWebsite.has(code));

test('every call of the service that concerns devices and confirmations is one of the routes or none of a page', () => {
  const others = new Set([
    // The website calls these itself: `omi.removeDevice`, `omi.setAccountLabel`, and groups.
    'remove-device',
    'set-account-label',
    'request-group',
    'get-group',
    'withdraw-group',
  ]);
  const called = routes
    .filter(({ caller, path }) => caller === 'website' && !/^\/omi\/(events|exports|ssf)/.test(path))
    .map(({ lambda }) => lambda)
    .filter((lambda) => !others.has(lambda));
  expect(Object.keys(operations).toSorted()).toEqual(called.toSorted());
});

/** Access tokens come all the time. */
const isOfApi = (input: string | URL | Request): boolean =>
  new URL(input instanceof Request ? input.url : input).pathname.startsWith('/omi/');

describe('a refusal of the service', () => {
  let refused: Response | undefined;
  let visitor: Visitor;
  let ids: Ids;
  let passTime: () => void;

  beforeAll(async () => {
    const signed = await signedIn(stack, {
      through: async (fetch, input, init) =>
        refused && isOfApi(input) ? refused.clone() : await fetch(input, init),
    });
    ({ visitor } = signed);
    passTime = () => (signed.website.ahead += afterIntervalMs);
    const { body } = await visitor.call('POST', '/omi/enrolments', {});
    ids = {
      confirmation: await visitor.asked(),
      enrolment: String(body['id']),
      deviceId: signed.phone.identity.deviceId,
    };
  });

  async function answerTo({ code, call }: (typeof cases)[number]) {
    const { status } = problems[code];
    refused = Response.json(
      problemDocument(new Refusal(code, 'Refused.'), 'trace', 'https://api.omi.example'),
      { status },
    );
    passTime();
    const answer = await call(visitor, ids);
    return { status: answer.status, code: String(answer.body['code']) };
  }

  test.each(ofTheUser)('$code of $lambda reaches the page, and has a sentence of its own', async (one) => {
    const { code, saidAfter } = one;
    const answered = await answerTo(one);
    expect(answered).toEqual({ status: problems[code].status, code });
    expect(saidAfter(answered)).not.toBe('fault');
  });

  test.each(cases.filter(({ code }) => ofTheWebsite.has(code)))(
    '$code of $lambda is a fault of the website, and its code does not reach the page',
    async (one) => {
      expect(await answerTo(one)).toEqual({ status: 500, code: 'internal-error' });
    },
  );
});
