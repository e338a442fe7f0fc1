/** Runs all checks, one after the other, and keeps what they find. */
import { answerChecks } from './checks/answers.ts';
import { clockChecks } from './checks/clock.ts';
import { enrolmentChecks } from './checks/enrolment.ts';
import { hostileChecks } from './checks/hostile.ts';
import { keyChecks } from './checks/keys.ts';
import { linkChecks } from './checks/links.ts';
import { passkeyChecks } from './checks/passkeys.ts';
import { pushTokenChecks } from './checks/push-token.ts';
import { signedChecks } from './checks/signed.ts';
import { DriverError, Hangs, type Command, type Driver, type Outcome } from './driver.ts';
import { Failure, Skip } from './failure.ts';
import { follow, rules } from './rules.ts';
import { runningChecks } from './running/running-checks.ts';
import type { Website } from './running/website.ts';
import { Scene, type Check } from './scene.ts';
import { FakeService } from './service/fake-service.ts';

/** Against which service a check runs; `messages` are the rules for all that was sent to the misbehaving one. */
export type Part = 'misbehaving' | 'messages' | 'running';

export type Finding = {
  id: string;
  part: Part;
  says: string;
  outcome: 'passed' | 'failed' | 'skipped';
  /** Why it failed, or was skipped. */
  detail?: string;
  seconds: number;
};

export type Report = { device: string; abilities: readonly string[]; findings: readonly Finding[] };

export type SuiteOptions = {
  link?: string | undefined;
  website?: Website | undefined;
  /** Ids of checks, or their beginnings; without any, all of them run. */
  only?: readonly string[] | undefined;
  /** The port of the service that misbehaves; any free one if absent. */
  port?: number | undefined;
  /** How long a device waits for an answer, if its driver lets it be told. */
  patienceMs: number;
  onFinding?: (finding: Finding) => void;
};

/** The version of the commands. */
const commandsVersion = 1;
/** That of `@omi/device`, for drivers that do not say theirs. */
const usualPatienceMs = 35_000;
const greetingMs = 60_000;

const misbehaving: readonly Check[] = [
  ...linkChecks,
  ...enrolmentChecks,
  ...answerChecks,
  ...signedChecks,
  ...pushTokenChecks,
  ...passkeyChecks,
  ...clockChecks,
  ...keyChecks,
  ...hostileChecks,
];

/** @throws {DriverError} if the driver, or the website, does not work */
export async function runSuite(driver: Driver, options: SuiteOptions): Promise<Report> {
  const service = new FakeService();
  await service.start(options.port);
  try {
    return await new Suite(driver, service, options).run();
  } finally {
    await driver.stop();
    await service.stop();
  }
}

class Suite {
  readonly #driver: Driver;
  readonly #service: FakeService;
  readonly #options: SuiteOptions;
  readonly #findings: Finding[] = [];

  constructor(driver: Driver, service: FakeService, options: SuiteOptions) {
    this.#driver = driver;
    this.#service = service;
    this.#options = options;
  }

  async run(): Promise<Report> {
    const { name, can, patienceMs } = await this.#greet();
    const scene = new Scene(this.#service, new Greeted(this.#driver, this.#greet), can, patienceMs);
    for (const check of misbehaving)
      await this.#find('misbehaving', check, async () => {
        await check.run(scene);
      });
    for (const rule of rules)
      await this.#find('messages', rule, async () => {
        follow(rule, this.#service.received, this.#service.baseUrl);
        await Promise.resolve();
      });
    const { link, website } = this.#options;
    for (const check of runningChecks(link, website))
      await this.#find('running', check, async () => await check.run(scene));
    return { device: name, abilities: can, findings: this.#findings };
  }

  readonly #greet = async (): Promise<{ name: string; can: string[]; patienceMs: number }> => {
    const { patienceMs: wanted } = this.#options;
    const { baseUrl } = this.#service;
    const hello = { do: 'hello', version: commandsVersion, baseUrl, patienceMs: wanted };
    const outcome = await this.#driver.send(hello, greetingMs).catch((error: unknown) => {
      if (error instanceof Hangs) throw new DriverError('The driver did not answer the command "hello".');
      throw error;
    });
    if ('error' in outcome) throw new DriverError(`The driver refused "hello": ${outcome.error.code}`);
    const { name, can, patienceMs = usualPatienceMs } = outcome.result;
    if (typeof name !== 'string' || !Array.isArray(can) || typeof patienceMs !== 'number')
      throw new DriverError(
        'The result of "hello" is { "name": string, "can": [string], "patienceMs"?: number }.',
      );
    return { name, can: can.map(String), patienceMs };
  };

  async #find(
    part: Part,
    { id, says }: { id: string; says: string },
    run: () => Promise<void>,
  ): Promise<void> {
    const { only, onFinding } = this.#options;
    if (only && !only.some((start) => id.startsWith(start))) return;
    const start = performance.now();
    const found = await outcomeOf(run);
    this.#service.behave();
    const finding = { id, part, says, ...found, seconds: (performance.now() - start) / 1000 };
    this.#findings.push(finding);
    onFinding?.(finding);
  }
}

async function outcomeOf(run: () => Promise<void>): Promise<Pick<Finding, 'outcome' | 'detail'>> {
  try {
    await run();
    return { outcome: 'passed' };
  } catch (error) {
    if (error instanceof Failure) return { outcome: 'failed', detail: error.message };
    if (error instanceof Skip) return { outcome: 'skipped', detail: error.message };
    throw error;
  }
}

/** A driver that is greeted again after it hung, as it may be another process. */
class Greeted implements Driver {
  readonly #driver: Driver;
  readonly #greet: () => Promise<unknown>;
  #hung = false;

  constructor(driver: Driver, greet: () => Promise<unknown>) {
    this.#driver = driver;
    this.#greet = greet;
  }

  async send(command: Command, patienceMs: number): Promise<Outcome> {
    if (this.#hung) await this.#greet();
    this.#hung = false;
    try {
      return await this.#driver.send(command, patienceMs);
    } catch (error) {
      this.#hung = error instanceof Hangs;
      throw error;
    }
  }

  async stop(): Promise<void> {
    await this.#driver.stop();
  }
}
