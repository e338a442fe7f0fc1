/** What a check has at hand: a device by its driver, and a service that lies when it is told to. */
import { Hangs, type Command, type Driver, type Outcome, type Result } from './driver.ts';
import { Failure, must, Skip } from './failure.ts';
import {
  challengeWith,
  type Challenge,
  type FakeService,
  type Mode,
  type Received,
} from './service/fake-service.ts';
import type { Members } from './service/message.ts';

/** What the driver says that the device can do. Checks of the rest are skipped. */
export type Ability = 'number' | 'details' | 'passkey' | 'push-token';

export type Device = { name: string; deviceId: string; userId: string };

export type Decision = { decision: 'confirm' | 'deny'; reason?: 'not_me' | 'user_declined'; number?: string };

/** A device that repeats a call does it at most this often. */
const mostRepetitions = 4;
/** For the pauses between repetitions. */
const pausesMs = 15_000;

export class Scene {
  readonly service: FakeService;
  readonly #driver: Driver;
  readonly #abilities: readonly string[];
  readonly #patienceMs: number;
  static #devices = 0;

  constructor(service: FakeService, driver: Driver, abilities: readonly string[], patienceMs: number) {
    this.service = service;
    this.#driver = driver;
    this.#abilities = abilities;
    this.#patienceMs = patienceMs;
  }

  /** @throws {Skip} */
  needs(ability: Ability): void {
    if (!this.#abilities.includes(ability)) throw new Skip(`The device does not do this: ${ability}.`);
  }

  can(ability: Ability): boolean {
    return this.#abilities.includes(ability);
  }

  /** @throws {Failure} if the device does not give up in time */
  async outcome(command: Command): Promise<Outcome> {
    const longestMs = mostRepetitions * this.#patienceMs + pausesMs;
    try {
      return await this.#driver.send(command, longestMs);
    } catch (error) {
      if (!(error instanceof Hangs)) throw error;
      throw new Failure(`The command "${command.do}" has not ended after ${longestMs / 1000} s.`);
    }
  }

  /** @throws {Failure} unless the command succeeds */
  async result(command: Command): Promise<Result> {
    const outcome = await this.outcome(command);
    if ('result' in outcome) return outcome.result;
    const { code, message = '' } = outcome.error;
    throw new Failure(`The command "${command.do}" failed: ${code}. ${message}`.trim());
  }

  /** @throws {Failure} unless the command fails; with `code`, unless it fails with that code */
  async refusal(command: Command, code?: string): Promise<void> {
    const outcome = await this.outcome(command);
    must('error' in outcome, `The command "${command.do}" succeeded; it had to fail.`);
    const { error } = outcome;
    must(code === undefined || error.code === code, `The error is "${error.code}", and not "${code ?? ''}".`);
  }

  /** Enrols a new device. */
  async enrol({ mode = 'off', link = this.service.link({ mode }) }: { mode?: Mode; link?: string } = {}) {
    const name = this.newName();
    const result = await this.result({ do: 'enrol', device: name, link });
    return { name, deviceId: String(result['deviceId']), userId: String(result['userId']) };
  }

  newName(): string {
    return `device-${(Scene.#devices += 1)}`;
  }

  /** A device that has been asked. */
  async asked(members: Members = {}): Promise<{ device: Device; challenge: Challenge; shown: Result }> {
    const device = await this.enrol();
    const challenge = this.open(device, members);
    return { device, challenge, shown: await this.shows(device, challenge.challengeId) };
  }

  /** Asks the device, and nothing else. */
  open({ deviceId }: Device, members: Members = {}): Challenge {
    const challenge = challengeWith(members);
    this.service.ask(deviceId, challenge);
    return challenge;
  }

  async challenges({ name }: Device): Promise<Result[]> {
    const { challenges } = await this.result({ do: 'challenges', device: name });
    must(Array.isArray(challenges), 'The driver must answer a list of "challenges".');
    return challenges as Result[];
  }

  /** What the device shows of a challenge. */
  async shows(device: Device, challengeId: string): Promise<Result> {
    const shown = (await this.challenges(device)).find((one) => one['challengeId'] === challengeId);
    must(shown !== undefined, 'The challenge that is open is not shown.');
    return shown;
  }

  answering({ name: device }: Device, challengeId: string, decision: Decision): Command {
    return { do: 'answer', device, challengeId, ...decision };
  }

  async answer(device: Device, challengeId: string, decision: Decision): Promise<Result> {
    return await this.result(this.answering(device, challengeId, decision));
  }

  /** The signed answers to a challenge, each once. */
  answers(challengeId: string): Members[] {
    const sent = this.service.received.filter(
      ({ call, message }) => call === 'answer' && message?.claims['challengeId'] === challengeId,
    );
    return [...new Map(sent.map(({ message }) => [message?.jws, message?.claims ?? {}])).values()];
  }

  /** What arrives while `act` runs. */
  async during(act: () => Promise<unknown>): Promise<Received[]> {
    const { length } = this.service.received;
    await act();
    return this.service.received.slice(length);
  }

  /** The device signs no answer to a challenge that lies; whether it hides it or refuses to answer is its own affair. */
  async refusesToSign(members: Members): Promise<void> {
    const device = await this.enrol();
    const { challengeId } = this.open(device, members);
    const outcome = await this.outcome({ do: 'challenges', device: device.name });
    if ('result' in outcome) await this.refusal(this.answering(device, challengeId, { decision: 'confirm' }));
    must(this.answers(challengeId).length === 0, 'The device has signed an answer.');
  }
}

export type Check = {
  /** The id of the check in reports. */
  id: string;
  /** What a device that conforms does. */
  says: string;
  run: (scene: Scene) => Promise<void>;
};
