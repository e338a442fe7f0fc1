import { base64url, sha256 } from './bytes.ts';
import { Caller, type Connection } from './caller.ts';
import type { Answer, Challenge, UserVerification } from './challenge.ts';
import { DeviceError } from './device-error.ts';
import type { EnrolmentLink } from './enrolment-link.ts';
import {
  answerMessage,
  devicePaths,
  enrolmentMessage,
  nameMessage,
  pushTokenMessage,
  requestMessage,
  type DeviceDescription,
  type DeviceIdentity,
  type PushAddress,
} from './messages.ts';
import {
  readChallengeList,
  readEnrolled,
  readNothing,
  readStatus,
  type ChallengeList,
  type PushState,
} from './reading.ts';
import { isTransient } from '../../http/src/retries.ts';
import { removalChallenge } from './user-verification.ts';

/** An answer that was signed, and to which no reply has arrived. */
type Unanswered = { intent: string; jws: string };

/** How many changes of its address in one second a device gets through. */
const mostAddressesASecond = 5;

/**
 * An enrolled device. Keep its `identity` and its key; they make the same device again.
 *
 * Calls repeat themselves after a lost answer, and throw {@link DeviceError} with a `code`.
 */
export class Device {
  readonly identity: DeviceIdentity;
  readonly #caller: Caller;
  /** `iat` of the newest push token, in milliseconds: the service takes only newer ones. */
  #addressSentAt = 0;
  readonly #unanswered = new Map<string, Unanswered>();
  #push: PushState | undefined;

  constructor({ identity, ...connection }: Connection & { identity: DeviceIdentity }) {
    this.identity = identity;
    this.#caller = new Caller(identity.baseUrl, connection);
  }

  /**
   * Enrols a new device. Use a new key for each enrolment.
   *
   * @throws {DeviceError} for example `enrolment-code-expired`, `enrolment-code-used` or `too-many-devices`
   */
  static async enrol(
    { baseUrl, code }: EnrolmentLink,
    description: DeviceDescription,
    connection: Connection,
  ): Promise<Device> {
    const enrolled = await new Caller(baseUrl, connection).call({
      method: 'POST',
      path: devicePaths.enrolments,
      message: enrolmentMessage(code, description),
      read: readEnrolled,
    });
    return new Device({ ...connection, identity: { baseUrl, ...enrolled } });
  }

  /**
   * What the last `challenges()` said of pushes. `unreachable`: none arrives until `refreshPushToken()` has sent another token
   * or subscription.
   */
  get push(): PushState | undefined {
    return this.#push;
  }

  /** The challenges that wait for an answer of this device. */
  async challenges(): Promise<Challenge[]> {
    const { challenges, push } = await this.#fetchList();
    this.#push = push;
    return challenges;
  }

  async #fetchList(): Promise<ChallengeList> {
    const [method, path] = ['GET', devicePaths.challenges] as const;
    const message = requestMessage(method, `${this.identity.baseUrl}${path}`);
    const fetch = async (): Promise<ChallengeList> =>
      await this.#caller.call({ method, path, message, read: readChallengeList }, this.identity);
    try {
      return await fetch();
    } catch (error) {
      // This message has arrived already and its answer was lost, or a newer one has overtaken it.
      if (!(error instanceof DeviceError) || error.code !== 'stale-request') throw error;
      return await fetch();
    }
  }

  /**
   * Signs and sends the user's answer. If its reply was lost, the same answer again sends the same message.
   *
   * @throws {DeviceError} for example `number-required`, `challenge-expired` or `already-decided`; `message-mismatch`
   * without a call if a hash does not match what was shown
   */
  async answer(challenge: Challenge, answer: Answer): Promise<{ status: string }> {
    await checkChallenge(challenge);
    const { challengeId } = challenge;
    const intent = intentOf(challenge, answer);
    const kept = this.#unanswered.get(challengeId);
    try {
      const call = {
        method: 'POST',
        path: devicePaths.response(challengeId),
        message: answerMessage(challenge, answer),
        read: readStatus,
        jws: kept?.intent === intent ? kept.jws : undefined,
        onSigned: (jws: string) => void this.#unanswered.set(challengeId, { intent, jws }),
      } as const;
      const reply = await this.#caller.call(call, this.identity);
      this.#unanswered.delete(challengeId);
      return reply;
    } catch (error) {
      if (!isTransient(error)) this.#unanswered.delete(challengeId);
      throw error;
    }
  }

  /** Registers where pushes reach the device from now on. */
  async refreshPushToken(address: PushAddress): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        await this.#sendAddress(address);
        return;
      } catch (error) {
        // The newer request is of this second, as `iat` has no fractions; or it is this very message, whose answer was lost. Each attempt is a second later.
        const isRepeatable = error instanceof DeviceError && error.code === 'stale-request';
        if (!isRepeatable || attempt === mostAddressesASecond) throw error;
      }
    }
  }

  async #sendAddress(address: PushAddress): Promise<void> {
    let sentAt = 0;
    const call = {
      method: 'PUT',
      path: devicePaths.pushToken,
      message: pushTokenMessage(address),
      read: readNothing,
      issuedAt: (now: number) => (sentAt = Math.max(now, this.#addressSentAt + 1000)),
    } as const;
    try {
      await this.#caller.call(call, this.identity);
      this.#addressSentAt = sentAt;
    } catch (error) {
      if (error instanceof DeviceError && error.code === 'stale-request') this.#addressSentAt = sentAt;
      throw error;
    }
  }

  /**
   * Changes what the user calls this device, where websites and apps list it.
   *
   * @throws {DeviceError} for example `invalid-request`, if the name has more than 64 characters or hidden ones
   */
  async rename(name: string): Promise<void> {
    const call = {
      method: 'PUT',
      path: devicePaths.name,
      message: nameMessage(name),
      read: readNothing,
    } as const;
    await this.#caller.call(call, this.identity);
  }

  /**
   * Removes the device. Delete its key afterwards.
   *
   * @param verify asks the passkey, if the device has one, with this WebAuthn challenge
   * @throws {DeviceError} for example `user-verification-required`, if the tenant wants it: then only the website removes a
   * device without a passkey
   */
  async unregister(
    verify?: (challenge: Uint8Array<ArrayBuffer>) => Promise<UserVerification | undefined>,
  ): Promise<void> {
    const [method, path] = ['DELETE', devicePaths.device] as const;
    const { typ, claims } = requestMessage(method, `${this.identity.baseUrl}${path}`);
    const jti = crypto.randomUUID();
    const userVerification = await verify?.(await removalChallenge(this.identity.deviceId, jti));
    const message = { typ, claims: { ...claims, jti, ...(userVerification && { userVerification }) } };
    const call = { method, path, message, read: readNothing, done: 'invalid-signature' };
    await this.#caller.call(call, this.identity);
  }
}

/** The signature must bind what the user saw, not what a hash beside it says. */
async function checkChallenge(challenge: Challenge): Promise<void> {
  const { message, messageHash, details, detailsHash, context, contextHash } = challenge;
  const isShown = (await hashOf(message)) === messageHash && (await hashOf(context)) === contextHash;
  const hasDetails = (details === undefined ? undefined : await hashOf(details)) === detailsHash;
  if (!isShown || !hasDetails) throw new DeviceError('message-mismatch');
}

const hashOf = async (text: string): Promise<string> => base64url(await sha256(text));

/** What the user decided; a new assertion of the passkey does not change it. */
function intentOf({ messageHash, contextHash, detailsHash }: Challenge, answer: Answer): string {
  const what = answer.decision === 'deny' ? answer.reason : answer.number;
  return JSON.stringify([messageHash, contextHash, detailsHash, answer.decision, what]);
}
