import type { Evidence, Evident, Trust } from '../../evidence/src/types.ts';
import { verifyEvidence } from '../../evidence/src/verify-evidence.ts';
import {
  type AskedGroup,
  type EvidentGroup,
  type GroupEvidence,
  verifyGroup,
} from '../../evidence/src/verify-group.ts';
import { sleep, unlessAborted } from '../../http/src/abort.ts';
import { tokenSource } from '../../http/src/access-tokens.ts';
import { type Brand, brandSource } from './brand.ts';
import { keysOf, verifyCallback } from './callback.ts';
import { Caller } from './caller.ts';
import { connectionOfEnvironment, hasConnection } from './environment.ts';
import { serviceKeys } from './keys.ts';
import { fail } from './omi-error.ts';
import { newNonce } from './nonce.ts';
import {
  devicesOperation,
  enrolmentOperation,
  enrolOperation,
  forRecovery,
  groupOperation,
  labelOperation,
  pollOperation,
  removeDeviceOperation,
  requestGroupOperation,
  sendOperation,
  withdrawAllOperation,
  withdrawGroupOperation,
  withdrawOperation,
} from './operations.ts';
import { shownOrigin } from './sent-origin.ts';
import { required, safeUrl } from './options.ts';
import { pollUntilFinal } from './polling.ts';
import { isTransient } from '../../http/src/retries.ts';
import { Waiting } from './waiting.ts';
import type {
  Asked,
  Callback,
  Confirmation,
  ConfirmGroupRequest,
  ConfirmRequest,
  Device,
  EnrolmentStatus,
  EnrolRequest,
  FinalConfirmation,
  FinalGroup,
  Group,
  GroupRequest,
  OmiOptions,
  SendRequest,
  StartedEnrolment,
  WaitOptions,
} from './types.ts';

/** How long an abort waits for the withdrawal. */
const longestWithdrawalMs = 5_000;

/** A website's side of OMI. Keep one for the whole server: it holds the access token. */
export class Omi {
  readonly baseUrl: string;
  /** Whether there is a secret to verify callbacks with. */
  readonly hasCallbacks: boolean;
  readonly #tenantId: string | undefined;
  readonly #callbackKeys: readonly Uint8Array<ArrayBuffer>[];
  /** The clock, in milliseconds since 1970. */
  readonly now: () => number;
  readonly #sleep: OmiOptions['sleep'];
  readonly #caller: Caller;
  readonly #trust: Trust;
  readonly #isForRecovery: boolean;
  readonly #brandOf: (tenantId: string) => Promise<Brand | undefined>;
  /** Calls that wait for the end of a question, by its challenge id or group id. */
  readonly #waiting = new Waiting();

  /** @throws {OmiError} `invalid-options` */
  constructor(given: OmiOptions = {}) {
    const options = hasConnection(given) ? given : { ...connectionOfEnvironment(), ...given };
    const { tenantId, callbackSecret = [], now = Date.now, recovery = false } = options;
    this.baseUrl = safeUrl('baseUrl', options.baseUrl);
    if (!('token' in options)) {
      safeUrl('tokenUrl', options.tokenUrl);
      required('clientId', options.clientId);
      required('clientSecret', options.clientSecret);
    }
    this.#tenantId = tenantId;
    this.#isForRecovery = recovery;
    this.#callbackKeys = keysOf([callbackSecret].flat());
    this.hasCallbacks = this.#callbackKeys.length > 0;
    this.now = now;
    this.#sleep = options.sleep;
    // A fetch that is replaced later, for example by a test, is used from then on.
    const fetch: typeof globalThis.fetch = async (...call) =>
      await (options.fetch ?? globalThis.fetch)(...call);
    const tokens = tokenSource(options, { fetch, now, fail });
    const { baseUrl } = this;
    this.#caller = new Caller({ baseUrl, fetch, tokens });
    this.#brandOf = brandSource({ baseUrl, fetch, now });
    const { formerBaseUrls = [], testUsers } = options;
    this.#trust = { keys: serviceKeys({ baseUrl, fetch, now }), baseUrl, formerBaseUrls, testUsers };
  }

  /**
   * Asks the user, waits for the answer, and verifies it. Only the status `confirmed` is a yes. Denied, expired and so on are
   * results, not exceptions.
   *
   * @throws {OmiError} for example `device-not-found`, `device-choice-required` or `confirmation-pending`
   * @throws {EvidenceError} if the answer does not prove what was asked
   * @throws `signal.reason` after an abort, when the question was withdrawn, and after 5 seconds at the latest
   */
  async confirm({ signal, onPending, knownKeys, ...request }: ConfirmRequest): Promise<FinalConfirmation> {
    signal?.throwIfAborted();
    const asked = { ...request, nonce: request.nonce ?? newNonce() };
    let mayHaveArrived = false;
    const sent = this.#caller.call(sendOperation(asked), {
      stop: signal,
      onSending: () => (mayHaveArrived = true),
    });
    const undo = async (): Promise<void> => {
      if (!mayHaveArrived) return;
      // A withdrawal that overtakes the question would find nothing.
      const isRefused = await sent.then(
        () => false,
        (error: unknown) => !isTransient(error),
      );
      if (!isRefused) await this.withdraw(asked.nonce);
    };
    return await this.#unlessAborted(signal, undo, async () => {
      const first = await sent;
      const { deviceId } = first;
      const { purpose = null, requestedFrom = null } = asked;
      const all = { deviceId, ...asked, purpose, requestedFrom, knownKeys };
      return await this.#follow(all, { signal, onPending }, first);
    });
  }

  /**
   * How the tenant presents itself, kept for 5 minutes: for {@link RoutesOptions.brand}. Undefined without `tenantId`, and if there is no
   * answer within a second.
   */
  async brand(): Promise<Brand | undefined> {
    return this.#tenantId === undefined ? undefined : await this.#brandOf(this.#tenantId);
  }

  /**
   * Asks the user. The same request with the same nonce is the same question, so lost answers are asked for again.
   *
   * @throws {OmiError}
   */
  async send(request: SendRequest): Promise<Confirmation> {
    return await this.#caller.call(sendOperation({ ...request, nonce: request.nonce ?? newNonce() }));
  }

  /**
   * Looks once at a confirmation, whatever its status. Its evidence is not verified.
   *
   * @param options.repeat whether lost answers are asked for again; true by default
   * @throws {OmiError}
   */
  async poll(
    nonce: string,
    { signal, repeat }: Pick<WaitOptions, 'signal'> & { repeat?: boolean } = {},
  ): Promise<Confirmation> {
    return await this.#caller.call(pollOperation(nonce), { signal, repeat });
  }

  /**
   * Waits for the answer to a question that was sent, and verifies it.
   *
   * @throws as {@link confirm}
   */
  async wait(asked: Asked, { signal, onPending }: WaitOptions = {}): Promise<FinalConfirmation> {
    signal?.throwIfAborted();
    const undo = async (): Promise<void> => await this.withdraw(asked.nonce);
    return await this.#unlessAborted(
      signal,
      undo,
      async () => await this.#follow(asked, { signal, onPending }),
    );
  }

  /**
   * Withdraws a question. Safe to repeat.
   *
   * @throws {OmiError} for example `already-decided`
   */
  async withdraw(nonce: string): Promise<void> {
    await this.#caller.call(withdrawOperation(nonce));
  }

  /**
   * Withdraws what this client has open for a user, on all devices: for example at the logout. Safe to repeat.
   *
   * @throws {OmiError}
   */
  async withdrawAll(userId: string): Promise<void> {
    await this.#caller.call(withdrawAllOperation(userId));
  }

  /**
   * Asks several users, waits until enough of them have answered, and verifies their votes. Only the status `approved` is a yes.
   *
   * @throws {OmiError} for example `group-not-reachable`
   * @throws {EvidenceError} if the votes do not prove what was asked
   * @throws `signal.reason` after an abort, when the group was withdrawn, and after 5 seconds at the latest
   */
  async confirmGroup({ signal, onPending, knownKeys, ...request }: ConfirmGroupRequest): Promise<FinalGroup> {
    signal?.throwIfAborted();
    const asked = { ...request, nonce: request.nonce ?? newNonce() };
    const sent = this.requestGroup(asked);
    const undo = async (): Promise<void> => {
      // A withdrawal that overtakes the question would find nothing.
      await sent.catch(() => undefined);
      await this.withdrawGroup(asked.nonce);
    };
    return await this.#unlessAborted(signal, undo, async () => {
      const first = await sent;
      const poll = async (): Promise<Group> =>
        await this.#caller.call(groupOperation(asked.nonce), { signal, repeat: false });
      const tell = async (group: Group): Promise<void> => void (await onPending?.(group));
      const pause = this.#pauseFor((one: Group) => one.groupId);
      const group = await pollUntilFinal({ poll, first, onPending: tell, signal, pause, sleep: this.#sleep });
      if (group.status === 'approved') await this.verifyGroup(group, { ...asked, knownKeys });
      return group as FinalGroup;
    });
  }

  /**
   * Asks several users. The same request with the same nonce is the same group, so lost answers are asked for again.
   *
   * @throws {OmiError} for example `group-not-reachable`
   */
  async requestGroup(request: GroupRequest): Promise<Group> {
    return await this.#caller.call(requestGroupOperation({ ...request, nonce: request.nonce ?? newNonce() }));
  }

  /**
   * Looks once at a group, whatever its status. The evidence of its votes is not verified.
   *
   * @throws {OmiError}
   */
  async group(nonce: string): Promise<Group> {
    return await this.#caller.call(groupOperation(nonce));
  }

  /**
   * Withdraws a group. Safe to repeat.
   *
   * @throws {OmiError} for example `already-decided`
   */
  async withdrawGroup(nonce: string): Promise<void> {
    await this.#caller.call(withdrawGroupOperation(nonce));
  }

  /** @throws {OmiError} */
  async devices(userId: string): Promise<Device[]> {
    return (await this.#caller.call(devicesOperation(userId))).devices;
  }

  /**
   * @param options.confirmation the nonce of a confirmation with the purpose `remove-device`, where the tenant wants one
   * @throws {OmiError} for example `device-not-found` or `confirmation-required`
   */
  async removeDevice(
    userId: string,
    deviceId: string,
    { confirmation }: { confirmation?: string | undefined } = {},
  ): Promise<void> {
    const operation = removeDeviceOperation(userId, deviceId, confirmation);
    await this.#caller.call(this.#isForRecovery ? forRecovery(operation) : operation);
  }

  /**
   * Starts an enrolment: show `qr` as a QR code to this user alone.
   *
   * @throws {OmiError} for example `confirmation-required`
   */
  async enrol(request: EnrolRequest): Promise<StartedEnrolment> {
    const operation = enrolOperation(request);
    return await this.#caller.call(this.#isForRecovery ? forRecovery(operation) : operation);
  }

  /**
   * Sets what apps show in place of the user's id, on all devices of the user; `null` removes it.
   *
   * @throws {OmiError}
   */
  async setAccountLabel(userId: string, accountLabel: string | null): Promise<void> {
    await this.#caller.call(labelOperation(userId, accountLabel));
  }

  /** @throws {OmiError} */
  async enrolment(enrolmentId: string): Promise<EnrolmentStatus> {
    return await this.#caller.call(enrolmentOperation(enrolmentId));
  }

  /**
   * @throws {EvidenceError} if the confirmation does not prove what was asked
   * @throws {OmiError} if the service's keys cannot be loaded
   */
  async verifyEvidence(confirmation: Evident, asked: Asked): Promise<Evidence> {
    const tenantId = asked.tenantId ?? this.#tenantId;
    const known = { ...asked, requestedFrom: shownOrigin(asked.requestedFrom), tenantId };
    return await verifyEvidence(confirmation, { ...known, ...this.#trust });
  }

  /**
   * @returns the evidence of each member who confirmed
   * @throws {EvidenceError} if the votes do not prove that enough members confirmed what was asked
   * @throws {OmiError} if the service's keys cannot be loaded
   */
  async verifyGroup(group: EvidentGroup, asked: AskedGroup): Promise<GroupEvidence> {
    const tenantId = asked.tenantId ?? this.#tenantId;
    const known = { ...asked, tenantId };
    if ('requestedFrom' in asked) known.requestedFrom = shownOrigin(asked.requestedFrom);
    return await verifyGroup(group, { ...known, ...this.#trust });
  }

  /**
   * Verifies a callback of the service (Standard Webhooks), and reads its body. Use its evidence with {@link verifyEvidence}. A
   * {@link confirm} of this process that waits for it goes on at once.
   *
   * @throws {OmiError} `invalid-callback`
   */
  async verifyCallback(request: Request): Promise<Callback> {
    const callback = await verifyCallback(request, {
      keys: this.#callbackKeys,
      tenantId: this.#tenantId,
      now: this.now,
    });
    const { data } = callback;
    this.#waiting.wake('groupId' in data ? data.groupId : data.challengeId);
    return callback;
  }

  async #follow(
    asked: Asked,
    { signal, onPending }: WaitOptions,
    first?: Confirmation,
  ): Promise<FinalConfirmation> {
    const poll = async (): Promise<Confirmation> =>
      await this.#caller.call(pollOperation(asked.nonce), { signal, repeat: false });
    const tell = async (confirmation: Confirmation): Promise<void> => {
      try {
        await onPending?.(confirmation);
      } catch (error) {
        // The website cannot go on, so the user should not be asked any longer.
        await waitBriefly(this.withdraw(asked.nonce));
        throw error;
      }
    };
    const pause = this.#pauseFor((confirmation: Confirmation) => confirmation.challengeId);
    const polling = { poll, first, onPending: tell, signal, pause, sleep: this.#sleep };
    return await this.#verified(await pollUntilFinal(polling), asked);
  }

  /** The pause before the next poll, which a callback ends. */
  #pauseFor<T>(idOf: (question: T) => string) {
    return async (question: T, milliseconds: number, signal?: AbortSignal): Promise<void> =>
      await this.#waiting.until(
        idOf(question),
        async (wake) =>
          await (this.#sleep ?? sleep)(milliseconds, signal ? AbortSignal.any([signal, wake]) : wake),
      );
  }

  /** Only the confirmation that the device signed leaves as `confirmed`. A denial needs no proof, but must not have a wrong one. */
  async #verified(confirmation: Confirmation, asked: Asked): Promise<FinalConfirmation> {
    const { status, evidence } = confirmation;
    if (status === 'confirmed' || (status === 'denied' && evidence !== undefined))
      await this.verifyEvidence(confirmation, asked);
    return confirmation as FinalConfirmation;
  }

  /** Does the work. After an abort, undoes it and rejects with the reason. */
  async #unlessAborted<T>(
    signal: AbortSignal | undefined,
    undo: () => Promise<void>,
    work: () => Promise<T>,
  ): Promise<T> {
    try {
      return await unlessAborted(work(), signal);
    } catch (error) {
      if (!signal?.aborted) throw error;
      await waitBriefly(undo());
      throw signal.reason;
    }
  }
}

/** Nobody waits for the outcome any more, so a failure is not reported: a question expires by itself. */
async function waitBriefly(withdrawal: Promise<void>): Promise<void> {
  const enough = new AbortController();
  const patience = sleep(longestWithdrawalMs, enough.signal);
  await Promise.race([withdrawal.catch(() => undefined), patience]);
  enough.abort();
}
