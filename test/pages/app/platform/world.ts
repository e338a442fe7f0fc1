import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from '@jest/globals';
import { chromium, type Browser, type BrowserContext, type Page, type Worker } from 'playwright-core';
import { buildApp } from '../../../../pages/app/build.ts';
import type { OriginServer } from '../../../../tools/local/origin/origin-server.ts';
import { readPage, startPage } from '../../../../tools/local/origin/page-servers.ts';
import { chromiumFlags } from '../../../support/browser/chromium-flags.ts';
import { connectToChromium } from '../../../support/browser/use-chromium.ts';
import { sharedOfRun } from '../../../support/run-services.ts';

type Options = {
  /** The API's address, once it runs. Without it the service does not answer. */
  api?: () => string;
  /** A Chromium with a profile and these flags, not that of the run. */
  own?: { flags: readonly string[] };
};

/** A real browser with a page of the platform, at an origin with the app's own headers. */
class PlatformWorld {
  readonly #options: Options;
  readonly #folders: string[] = [];
  #profile = '';
  #server: OriginServer | undefined;
  #browser: Browser | undefined;
  #context: BrowserContext | undefined;

  constructor(options: Options) {
    this.#options = options;
  }

  get context(): BrowserContext {
    if (!this.#context) throw new Error('The browser does not run');
    return this.#context;
  }

  get origin(): string {
    if (!this.#server) throw new Error('The server does not run');
    return this.#server.url;
  }

  async start(): Promise<void> {
    this.#profile = await this.#folder();
    const apiUrl = this.#options.api?.() ?? 'http://127.0.0.1:9';
    this.#server = await startPage('app', { port: 0, apiUrl });
    await this.serve(await this.build('test/pages/app/platform/page.ts'), apiUrl);
    await this.launch();
  }

  /** Builds a page with this script, and with the app's service worker. */
  async build(script: string): Promise<string> {
    const folder = await this.#folder();
    await buildApp(folder, { script });
    return folder;
  }

  /** Serves these files from now on. */
  async serve(folder: string, baseUrl = this.#options.api?.() ?? 'http://127.0.0.1:9'): Promise<void> {
    this.#server?.open({ files: await readPage('app', folder, { baseUrl }) });
  }

  async launch(): Promise<void> {
    const { own } = this.#options;
    if (own) {
      this.#context = await chromium.launchPersistentContext(this.#profile, {
        executablePath: await sharedOfRun('chromium'),
        args: [...chromiumFlags, ...own.flags],
      });
      return;
    }
    this.#browser = await connectToChromium();
    this.#context = await this.#browser.newContext();
  }

  /** Closes the browser and opens it again with the same profile. */
  async relaunch(): Promise<void> {
    await this.#context?.close();
    await this.launch();
  }

  async open(path = '/'): Promise<Page> {
    const page = await this.context.newPage();
    await page.goto(`${this.origin}${path}`);
    await page.waitForFunction(() => 'platform' in globalThis);
    return page;
  }

  /**
   * Opens the page at another origin that forwards calls to the service, such as the one that passkeys are for. The worker
   * of that origin takes over from the second page on.
   */
  async openAt(origin: string): Promise<Page> {
    const page = await this.context.newPage();
    await page.route(`${origin}/**`, async (route) => {
      const { pathname } = new URL(route.request().url());
      if (pathname.startsWith('/omi/')) await route.continue();
      else await route.fulfill(await this.#fetch(pathname));
    });
    await page.goto(origin);
    await page.waitForFunction(() => 'platform' in globalThis);
    return page;
  }

  async #fetch(path: string): Promise<{ status: number; headers: Record<string, string>; body: Buffer }> {
    const answer = await fetch(`${this.origin}${path}`, { headers: { 'accept-encoding': 'identity' } });
    const body = Buffer.from(await answer.arrayBuffer());
    return { status: answer.status, headers: Object.fromEntries(answer.headers), body };
  }

  /** The active service worker of the page. */
  async worker(page: Page): Promise<Worker> {
    await page.evaluate(async () => await navigator.serviceWorker.ready);
    const [worker] = this.context.serviceWorkers();
    return worker ?? (await this.context.waitForEvent('serviceworker'));
  }

  async stop(): Promise<void> {
    await this.#context?.close();
    await this.#browser?.close();
    await this.#server?.close();
    for (const folder of this.#folders) await rm(folder, { recursive: true, force: true });
  }

  async #folder(): Promise<string> {
    const folder = await mkdtemp(join(tmpdir(), 'omi-platform-'));
    this.#folders.push(folder);
    return folder;
  }
}

export function usePlatform(options: Options = {}): PlatformWorld {
  const world = new PlatformWorld(options);
  beforeAll(async () => await world.start());
  afterAll(async () => await world.stop());
  return world;
}
