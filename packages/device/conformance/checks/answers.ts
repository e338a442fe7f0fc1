/** Answers: what is shown, what is signed, and what the service says to it. */
import { must, mustEqual } from '../failure.ts';
import type { Check, Decision, Scene } from '../scene.ts';
import { tenant } from '../service/fake-service.ts';
import { sha256, type Members } from '../service/message.ts';
import { lost, problem } from '../service/replies.ts';

/** Combining marks, right to left, an emoji of several code points, and spaces at both ends. */
const message = ' Überweise 1\u00a0000,50\u00a0€ an Zoe\u0301 · \u05e9\u05dc\u05d5\u05dd 👩🏽‍🍳 ';
const details = '[ {"type":"payment","amount":"1000.50","currency":"EUR","payee":"Zoé"} ]';

const confirm: Decision = { decision: 'confirm' };

/** Answers once, and returns the claims of this answer. */
async function answered(scene: Scene, decision: Decision, members: Members = {}): Promise<Members> {
  const { device, challenge } = await scene.asked(members);
  await scene.answer(device, challenge.challengeId, decision);
  const [claims] = scene.answers(challenge.challengeId);
  must(claims !== undefined, 'No answer has arrived.');
  return claims;
}

const refusals: readonly (readonly [number, string])[] = [
  [404, 'challenge-not-found'],
  [409, 'already-decided'],
  [410, 'challenge-expired'],
  [422, 'message-mismatch'],
  [422, 'wrong-number'],
];

export const answerChecks: readonly Check[] = [
  {
    id: 'shown',
    says: 'shows the message, who asks and from where, as the service wrote them',
    run: async (scene) => {
      const context = {
        requester: { tenant, client: 'website' },
        purpose: 'remove-device',
        device: { deviceId: 'other', name: "Anna's old phone" },
        userVerification: 'off',
        requestedFrom: { browser: 'Firefox on Windows', place: 'Köln', ip: '192.0.2.1' },
        group: { id: 'group', required: 2, of: 3 },
      };
      const { shown } = await scene.asked({ message, context: JSON.stringify({ ...context, later: 1 }) });
      mustEqual(shown['message'], message, 'message');
      const read = (shown['context'] ?? {}) as Members;
      for (const [name, value] of Object.entries(context)) mustEqual(read[name], value, `context.${name}`);
    },
  },
  {
    id: 'return-link',
    says: 'offers no way back to the website that is not an https URL',
    run: async (scene) => {
      for (const returnTo of ['javascript:alert(1)', 'http://shop.example/', 'data:text/html,x']) {
        const device = await scene.enrol();
        const { challengeId } = scene.open(device, { returnTo });
        const outcome = await scene.outcome({ do: 'challenges', device: device.name });
        const { challenges } = ('result' in outcome ? outcome.result : {}) as { challenges?: Members[] };
        const shown = challenges?.find((one) => one['challengeId'] === challengeId);
        must(shown?.['returnTo'] === undefined, `The device offers ${returnTo}`);
      }
    },
  },
  {
    id: 'confirm',
    says: 'confirms, with the decision and the hash of the message',
    run: async (scene) => {
      const { decision, messageHash } = await answered(scene, confirm, { message });
      mustEqual([decision, messageHash], ['confirm', sha256(message)], 'decision and messageHash');
    },
  },
  {
    id: 'deny',
    says: 'denies',
    run: async (scene) => {
      const { decision, reason } = await answered(scene, { decision: 'deny' });
      mustEqual(decision, 'deny', 'decision');
      must(reason === undefined || reason === 'user_declined', `reason is ${JSON.stringify(reason)}.`);
    },
  },
  {
    id: 'report',
    says: 'reports a question that the user did not cause',
    run: async (scene) => {
      const { decision, reason } = await answered(scene, { decision: 'deny', reason: 'not_me' });
      mustEqual([decision, reason], ['deny', 'not_me'], 'decision and reason');
    },
  },
  {
    id: 'context-hash',
    says: 'signs the hash of the context, also with a denial',
    run: async (scene) => {
      const context = '{ "userVerification":"off", "requester":{"tenant":"Zoë"} }';
      for (const decision of [confirm, { decision: 'deny' } as const]) {
        const { contextHash } = await answered(scene, decision, { context });
        mustEqual(contextHash, sha256(context), 'contextHash');
      }
    },
  },
  {
    id: 'details',
    says: 'shows the details, and signs the hash of their text',
    run: async (scene) => {
      scene.needs('details');
      const { device, challenge, shown } = await scene.asked({ details });
      mustEqual(shown['details'], details, 'details');
      await scene.answer(device, challenge.challengeId, confirm);
      const [claims] = scene.answers(challenge.challengeId);
      mustEqual(claims?.['detailsHash'], sha256(details), 'detailsHash');
    },
  },
  {
    id: 'no-details',
    says: 'sends no hash of details where there are none',
    run: async (scene) =>
      mustEqual((await answered(scene, confirm))['detailsHash'], undefined, 'detailsHash'),
  },
  {
    id: 'number',
    says: 'sends the number of the website as a string',
    run: async (scene) => {
      scene.needs('number');
      const claims = await answered(
        scene,
        { ...confirm, number: '07' },
        { matchNumbers: ['07', '42', '90'] },
      );
      mustEqual(claims['number'], '07', 'number');
    },
  },
  {
    id: 'number-required',
    says: 'asks for the number if the service wants one, and answers with it',
    run: async (scene) => {
      scene.needs('number');
      const { device, challenge } = await scene.asked();
      scene.service.always('answer', problem(422, 'number-required'));
      await scene.refusal(scene.answering(device, challenge.challengeId, confirm), 'number-required');
      scene.service.behave();
      await scene.answer(device, challenge.challengeId, { ...confirm, number: '123456' });
      mustEqual(scene.answers(challenge.challengeId).at(-1)?.['number'], '123456', 'number');
    },
  },
  {
    id: 'answer-status',
    says: 'reports the status that the service answered',
    run: async (scene) => {
      const { device, challenge } = await scene.asked();
      const { status } = await scene.answer(device, challenge.challengeId, confirm);
      mustEqual(status, 'confirmed', 'status');
    },
  },
  {
    id: 'answer-refused',
    says: 'reports a refused answer by its code, and never as decided',
    run: async (scene) => {
      for (const [status, code] of refusals) {
        const { device, challenge } = await scene.asked();
        scene.service.always('answer', problem(status, code));
        await scene.refusal(scene.answering(device, challenge.challengeId, confirm), code);
        scene.service.behave();
      }
    },
  },
  {
    id: 'answer-once',
    says: 'signs one answer to one decision of the user',
    run: async (scene) => {
      const { device, challenge } = await scene.asked();
      await scene.answer(device, challenge.challengeId, confirm);
      const { length } = scene.answers(challenge.challengeId);
      must(length === 1, `${length} different answers were sent.`);
    },
  },
  {
    id: 'answer-repeated',
    says: 'sends the same message again after its answer was lost',
    run: async (scene) => {
      const { device, challenge } = await scene.asked();
      scene.service.next('answer', lost, problem(503, 'temporarily-unavailable', {}, { 'retry-after': '0' }));
      const command = scene.answering(device, challenge.challengeId, confirm);
      const arrived = await scene.during(async () => {
        for (let turn = 1; 'error' in (await scene.outcome(command)); turn += 1)
          must(turn < 4, 'The answer did not arrive although the service took it.');
      });
      const messages = arrived.filter(({ call }) => call === 'answer').map(({ body }) => body);
      must(messages.length >= 3, 'The answer was not sent again.');
      must(new Set(messages).size === 1, 'The repeated answer is another message.');
    },
  },
  {
    id: 'request-stale',
    says: 'signs a request again if the service has answered it before',
    run: async (scene) => {
      const device = await scene.enrol();
      scene.service.next('challenges', problem(409, 'stale-request'));
      const arrived = await scene.during(async () => await scene.challenges(device));
      must(
        new Set(arrived.map(({ authorization }) => authorization)).size === 2,
        'No new message was signed.',
      );
    },
  },
];
