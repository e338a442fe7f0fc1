/** User verification, for devices with a passkey. */
import { createHash, type JsonWebKey } from 'node:crypto';
import { must, mustEqual } from '../failure.ts';
import type { Check, Device, Scene } from '../scene.ts';
import { sha256, verifies, type Members } from '../service/message.ts';

const flags = { UP: 0x01, UV: 0x04, AT: 0x40 };
const required = JSON.stringify({ userVerification: 'required' });

const bytesOf = (value: unknown): Buffer => Buffer.from(typeof value === 'string' ? value : '', 'base64url');

function clientDataOf(claim: Members): Members {
  return JSON.parse(bytesOf(claim['clientDataJSON']).toString() || '{}') as Members;
}

/** What WebAuthn has in a creation and in an assertion. */
function mustBeFor(claim: Members, type: string, challenge: string, wanted: number): void {
  const client = clientDataOf(claim);
  mustEqual([client['type'], client['challenge']], [type, challenge], 'type and challenge in clientDataJSON');
  const flagsOf = bytesOf(claim['authenticatorData'])[32] ?? 0;
  must((flagsOf & wanted) === wanted, `The flags of the authenticator are ${flagsOf}, without ${wanted}.`);
}

function mustBeSigned(claim: Members, passkey: Members): void {
  mustEqual(claim['id'], passkey['id'], 'the id of the passkey');
  const hash = createHash('sha256').update(bytesOf(claim['clientDataJSON'])).digest();
  const data = Buffer.concat([bytesOf(claim['authenticatorData']), hash]);
  const isValid = verifies(passkey['publicKey'] as JsonWebKey, data, bytesOf(claim['signature']), 'der');
  must(isValid, "The assertion's signature is not one by the passkey.");
}

async function enrolled(scene: Scene): Promise<{ device: Device; passkey: Members; code: string }> {
  scene.needs('passkey');
  let device: Device | undefined;
  const arrived = await scene.during(async () => (device = await scene.enrol({ mode: 'required' })));
  const { passkey, code } = arrived.filter(({ call }) => call === 'enrol').at(-1)?.message?.claims ?? {};
  must(device !== undefined && typeof passkey === 'object' && passkey !== null, 'There is no passkey.');
  return { device, passkey: passkey as Members, code: String(code) };
}

export const passkeyChecks: readonly Check[] = [
  {
    id: 'passkey-enrolment',
    says: 'enrols with a passkey that was made for the code, and that verified the user',
    run: async (scene) => {
      const { passkey, code } = await enrolled(scene);
      mustBeFor(passkey, 'webauthn.create', sha256(code), flags.UP | flags.UV | flags.AT);
    },
  },
  {
    id: 'passkey-answer',
    says: 'confirms with an assertion over challenge, message, context, details and decision',
    run: async (scene) => {
      const { device, passkey } = await enrolled(scene);
      for (const details of scene.can('details') ? [undefined, '[{"type":"x"}]'] : [undefined]) {
        const challenge = scene.open(device, {
          context: required,
          ...(details !== undefined && { details }),
        });
        const { challengeId, messageHash, contextHash } = challenge;
        await scene.shows(device, challengeId);
        await scene.answer(device, challengeId, { decision: 'confirm' });
        const { userVerification: claim } = scene.answers(challengeId)[0] ?? {};
        must(typeof claim === 'object' && claim !== null, 'There is no assertion.');
        const signed = [challengeId, messageHash, contextHash, 'confirm'];
        const bound = sha256([...signed, ...(details === undefined ? [] : [sha256(details)])].join('.'));
        mustBeFor(claim as Members, 'webauthn.get', bound, flags.UP | flags.UV);
        mustBeSigned(claim as Members, passkey);
      }
    },
  },
  {
    id: 'passkey-off',
    says: 'asks the user for no passkey if the tenant wants none',
    run: async (scene) => {
      const { device } = await enrolled(scene);
      const { challengeId } = scene.open(device);
      await scene.shows(device, challengeId);
      await scene.answer(device, challengeId, { decision: 'confirm' });
      mustEqual(scene.answers(challengeId)[0]?.['userVerification'], undefined, 'userVerification');
    },
  },
  {
    id: 'passkey-removal',
    says: 'removes itself with an assertion over its id and the id of the message',
    run: async (scene) => {
      const { device, passkey } = await enrolled(scene);
      const arrived = await scene.during(
        async () => await scene.result({ do: 'unregister', device: device.name }),
      );
      const { userVerification: claim, jti } =
        arrived.find(({ call }) => call === 'unregister')?.message?.claims ?? {};
      must(typeof claim === 'object' && claim !== null, 'There is no assertion.');
      const bound = sha256(`unregister.${device.deviceId}.${String(jti)}`);
      mustBeFor(claim as Members, 'webauthn.get', bound, flags.UP | flags.UV);
      mustBeSigned(claim as Members, passkey);
    },
  },
];
