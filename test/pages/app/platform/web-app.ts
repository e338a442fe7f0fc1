/** A driver of the web app in Chromium: its own code enrols, keeps the key in IndexedDB, signs, and asks the passkey. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import type { Account, Platform } from '../../../../pages/app/src/platform/index.ts';
import type * as protocol from '#device';
import {
  Hangs,
  type Command,
  type Driver,
  type Outcome,
} from '../../../../packages/device/conformance/driver.ts';
import { giveAuthenticator } from '../../../support/browser/authenticator.ts';
import { PlatformWorld } from './world.ts';

type Given = Record<string, string>;
type Shown = Record<string, protocol.Challenge>;
type InPage = {
  platform: Platform;
  protocol: typeof protocol;
  shown?: Shown;
  accounts?: Record<string, Account>;
};

/** The app gives up an answer after this time, and cannot be told another one. */
const patienceMs = 35_000;

const baseUrlOf = (link: string): string => new URLSearchParams(link.replace(/.*#/, '')).get('api') ?? '';

/** One browser for each service, as an app belongs to one. */
export class WebApp implements Driver {
  readonly #worlds = new Map<string, PlatformWorld>();
  readonly #pages = new Map<string, Page>();
  /** Where each device is. */
  readonly #places = new Map<string, Page>();
  #own = '';

  /** @param services base URLs besides that of the suite */
  constructor(...services: string[]) {
    for (const service of services) this.#worlds.set(service, new PlatformWorld({ api: () => service }));
  }

  async send({ do: name, ...given }: Command, longestMs: number): Promise<Outcome> {
    if (name === 'hello') return await this.#greet(String(given['baseUrl']));
    const { device = '', link } = given as Given;
    // A link of another service is opened by the app that is there.
    const page = link === undefined ? this.#places.get(device) : await this.#pageOf(baseUrlOf(link));
    if (!page) return { error: { code: 'unknown-device' } };
    if (name === 'enrol') this.#places.set(device, page);
    const late = new AbortController();
    const hangs = sleep(longestMs, undefined, { signal: late.signal }).then(() => {
      throw new Hangs(name);
    });
    try {
      return await Promise.race([page.evaluate(obey, [name, given as Given] as const), hangs]);
    } finally {
      hangs.catch(() => undefined);
      late.abort();
    }
  }

  async #greet(baseUrl: string): Promise<Outcome> {
    this.#own = baseUrl;
    if (!this.#worlds.has(baseUrl)) this.#worlds.set(baseUrl, new PlatformWorld({ api: () => baseUrl }));
    const can = ['number', 'details', 'passkey'];
    return { result: await Promise.resolve({ name: 'web app', can, patienceMs }) };
  }

  async #pageOf(baseUrl: string): Promise<Page> {
    const key = this.#worlds.has(baseUrl) ? baseUrl : this.#own;
    const known = this.#pages.get(key);
    if (known) return known;
    const world = this.#worlds.get(key);
    if (!world) throw new Error('The suite has not greeted');
    await world.start();
    const page = await world.open();
    await giveAuthenticator({ context: world.context, page });
    this.#pages.set(key, page);
    return page;
  }

  async stop(): Promise<void> {
    await Promise.all([...this.#pages.keys()].map(async (key) => await this.#worlds.get(key)?.stop()));
  }
}

/** Runs in the page, and calls what the screens call. */
async function obey([name, given]: readonly [string, Given]): Promise<Outcome> {
  const page = globalThis as unknown as InPage;
  const { platform, protocol: device } = page;
  const shown = (page.shown ??= {});
  const accounts = (page.accounts ??= {});
  const { device: named = '', link = '', challengeId = '' } = given;

  const scan = async () => device.scan(link, await platform.config());

  const account = async (): Promise<Account> => {
    const kept = (await platform.accounts.list()).find(
      ({ deviceId }) => deviceId === accounts[named]?.deviceId,
    );
    if (!kept) throw new device.DeviceError('unknown-device');
    return kept;
  };

  const enrol = async (): Promise<object> => {
    const target = await scan();
    const preview = await platform.enrolment.preview(target);
    const pending = await platform.enrolment.begin(target, 'Browser', preview);
    if (preview.userVerification !== 'off') await platform.enrolment.addPasskey(pending);
    const enrolled = await platform.enrolment.complete(pending);
    accounts[named] = enrolled;
    return { deviceId: enrolled.deviceId, userId: enrolled.userId };
  };

  const challenges = async (): Promise<object> => {
    const all = await platform.device(await account()).challenges();
    for (const challenge of all) shown[challenge.challengeId] = challenge;
    return { challenges: all.map((one) => ({ ...one, context: device.readContext(one.context) })) };
  };

  const answer = async (): Promise<object> => {
    const challenge = shown[challengeId];
    if (!challenge) throw new device.DeviceError('challenge-not-found');
    const own = await account();
    const { decision, reason, number } = given;
    if (decision !== 'confirm')
      return await platform
        .device(own)
        .answer(challenge, { decision: 'deny', ...(reason === 'not_me' && { reason }) });
    const { userVerification: mode } = device.readContext(challenge.context);
    const asked = mode === 'off' ? undefined : await platform.passkeys.assert(own, challenge, 'confirm');
    const userVerification = asked?.outcome === 'verified' ? asked.userVerification : undefined;
    const confirm = {
      decision,
      ...(number && { number }),
      ...(userVerification && { userVerification }),
    } as const;
    return await platform.device(own).answer(challenge, confirm);
  };

  const unregister = async (): Promise<object> => {
    const own = await account();
    await platform.device(own).unregister(async (bound) => {
      const asked = await platform.passkeys.assertRemoval(own, new Uint8Array(bound));
      return asked.outcome === 'verified' ? asked.userVerification : undefined;
    });
    await platform.accounts.remove(own.deviceId);
    return {};
  };

  const commands: Record<string, () => Promise<object>> = {
    preview: async () => await platform.enrolment.preview(await scan()),
    enrol,
    challenges,
    answer,
    unregister,
    lose: async () => {
      await platform.accounts.remove((await account()).deviceId);
      return {};
    },
  };
  try {
    return { result: { ...(await commands[name]?.()) } };
  } catch (error) {
    if (!(error instanceof device.DeviceError)) throw error;
    return { error: { code: error.code, message: error.message } };
  }
}
