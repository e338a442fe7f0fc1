/** The device and a running service: the service verifies what the device signs. */
import { must, mustEqual, Skip } from '../failure.ts';
import type { Check, Decision, Device, Scene } from '../scene.ts';
import type { Asked, Decided, Question, Website } from './website.ts';

const message = 'Conformance: pay 12.50 € to Café Zoë?';
const details = [{ type: 'payment', amount: '12.50', payee: 'Café Zoë' }];

/** @param link it is used up @param website without one, nothing is asked */
export function runningChecks(link: string | undefined, website: Website | undefined): readonly Check[] {
  let enrolled: Device | undefined;
  const device = (): Device => {
    if (!enrolled) throw new Skip('There is no device that has enrolled at the running service.');
    return enrolled;
  };

  async function ask(scene: Scene, question: Question) {
    const { deviceId, userId } = device();
    if (!website) throw new Skip('Nobody asks on the running service: there is no --ask.');
    const asked = await website.ask(userId, deviceId, question);
    const [shown] = await scene.challenges(device());
    mustEqual(shown?.['message'], question.message, 'the message that is shown');
    const challengeId = String(shown?.['challengeId']);
    return { asked, challengeId, shown, decided: async () => await website.decided(asked), website };
  }

  async function decides(scene: Scene, decision: Decision, expected: Decided): Promise<void> {
    const { asked, challengeId, decided } = await ask(scene, { message });
    await scene.answer(device(), challengeId, withNumber(asked, decision));
    const { status, reason } = await decided();
    mustEqual({ status, reason }, expected, 'the confirmation');
  }

  return [
    {
      id: 'running-enrolment',
      says: 'enrols at a running service',
      run: async (scene) => {
        if (link === undefined) throw new Skip('There is no --link.');
        const { tenant } = await scene.result({ do: 'preview', link });
        must(typeof tenant === 'string' && tenant !== '', 'The preview names no tenant.');
        enrolled = await scene.enrol({ link });
      },
    },
    {
      id: 'running-code-used',
      says: 'cannot enrol another device with the same code',
      run: async (scene) => {
        device();
        await scene.refusal({ do: 'enrol', device: scene.newName(), link }, 'enrolment-code-used');
      },
    },
    {
      id: 'running-requests',
      says: 'asks for challenges again and again',
      run: async (scene) => {
        for (let turn = 0; turn < 3; turn += 1) await scene.challenges(device());
      },
    },
    {
      id: 'running-push-token',
      says: 'registers push tokens, also two within a second',
      run: async (scene) => {
        scene.needs('push-token');
        for (const pushToken of ['token-of-conformance-1', 'token-of-conformance-2'])
          await scene.result({ do: 'refresh', device: device().name, pushToken });
      },
    },
    {
      id: 'running-confirm',
      says: 'confirms',
      run: async (scene) => await decides(scene, { decision: 'confirm' }, { status: 'confirmed' }),
    },
    {
      id: 'running-details',
      says: 'confirms details',
      run: async (scene) => {
        scene.needs('details');
        const question = { message, authorizationDetails: details };
        const { asked, challengeId, shown, decided } = await ask(scene, question);
        mustEqual(shown?.['details'], JSON.stringify(details), 'the details that are shown');
        await scene.answer(device(), challengeId, withNumber(asked, { decision: 'confirm' }));
        mustEqual((await decided()).status, 'confirmed', 'the status');
      },
    },
    {
      id: 'running-withdrawn',
      says: 'says that a challenge was withdrawn while the user read it',
      run: async (scene) => {
        const { asked, challengeId, website: asking } = await ask(scene, { message });
        await asking.withdraw(asked);
        const command = scene.answering(device(), challengeId, withNumber(asked, { decision: 'confirm' }));
        await scene.refusal(command, 'already-decided');
      },
    },
    {
      id: 'running-deny',
      says: 'denies',
      run: async (scene) =>
        await decides(scene, { decision: 'deny' }, { status: 'denied', reason: 'user_declined' }),
    },
    {
      id: 'running-report',
      says: 'reports a question that the user did not cause',
      run: async (scene) =>
        await decides(scene, { decision: 'deny', reason: 'not_me' }, { status: 'denied', reason: 'not_me' }),
    },
    {
      id: 'running-removal',
      says: 'removes itself, and is unknown afterwards',
      run: async (scene) => {
        const { name } = device();
        await scene.result({ do: 'unregister', device: name });
        await scene.refusal({ do: 'challenges', device: name });
      },
    },
  ];
}

/** The number that the website would show. */
const withNumber = ({ matchCode }: Asked, decision: Decision): Decision =>
  matchCode !== undefined && decision.decision === 'confirm' ? { ...decision, number: matchCode } : decision;
