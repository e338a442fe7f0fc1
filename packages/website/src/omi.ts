import type { Evidence, Evident, Trust } from '../../evidence/src/types.ts';
import { verifyEvidence } from '../../evidence/src/verify-evidence.ts';
import { sleep, unlessAborted } from '../../http/src/abort.ts';
import { tokenSource } from '../../http/src/access-tokens.ts';
import { verifyCallback } from './callback.ts';
import { Caller } from './caller.ts';
import { serviceKeys } from './keys.ts';
import { fail } from './omi-error.ts';
import { newNonce } from './nonce.ts';
import {
  devicesOperation,
  enrolmentOperation,
  enrolOperation,
  forRecovery,
  labelOperation,
  pollOperation,
  removeDeviceOperation,
  sendOperation,
  withdrawAllOperation,
  withdrawOperation,
} from './operations.ts';
import { checkClient, safeUrl } from './options.ts';
import { pollUntilFinal } from './polling.ts';
import { isTransient } from '../../http/src/retries.ts';
import type {
  Asked,
  Callback,
  Confirmation,
  ConfirmRequest,
  Device,
  EnrolmentStatus,
  EnrolRequest,
  FinalConfirmation,
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
  /** Whether there is a secret to verify call-backs with. */
  readonly hasCallbacks: boolean;
  readonly #tenantId: string | undefined;
  readonly #secrets: readonly string[];
  /** The clock, in milliseconds since 1970. */
  readonly now: () => number;
  readonly #sleep: OmiOptions['sleep'];
  readonly #caller: Caller;
  readonly #trust: Trust;
  readonly #isForRecovery: boolean;

  /** @throws {OmiError} `invalid-options` */
  constructor(options: OmiOptions) {
    const { tenantId, callbackSecret = [], now = Date.now, recovery = false } = options;
    this.baseUrl = safeUrl('baseUrl', options.baseUrl);
    if (!('token' in options)) {
      safeUrl('tokenUrl', options.tokenUrl);
      checkClient(options);
    }
    this.#tenantId = tenantId;
    this.#isForRecovery = recovery;
    this.#secrets = typeof callbackSecret === 'string' ? [callbackSecret] : callbackSecret;
    this.hasCallbacks = this.#secrets.length > 0;
    this.now = now;
    this.#sleep = options.sleep;
    // A fetch that is replaced later, for example by a test, is used from then on.
    const fetch: typeof globalThis.fetch = async (...call) =>
      await (options.fetch ?? globalThis.fetch)(...call);
    const tokens = tokenSource(options, { fetch, now, fail });
    const { baseUrl } = this;
    this.#caller = new Caller({ baseUrl, fetch, tokens });
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
    return await verifyEvidence(confirmation, { ...asked, tenantId, ...this.#trust });
  }

  /**
   * Verifies a call-back of the service (Standard Webhooks), and reads its body. Use its evidence with {@link verifyEvidence}.
   *
   * @throws {OmiError} `invalid-callback`
   */
  async verifyCallback(request: Request): Promise<Callback> {
    return await verifyCallback(request, {
      secrets: this.#secrets,
      tenantId: this.#tenantId,
      now: this.now,
    });
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
    const polling = { poll, first, onPending: tell, signal, sleep: this.#sleep };
    return await this.#verified(await pollUntilFinal(polling), asked);
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
