/** Counts the calls of the service that this process makes as a website. Those of devices are not counted. */
export class ServiceCalls {
  readonly #counted: string[] = [];
  readonly #origins: readonly string[];
  readonly #fetch = globalThis.fetch;

  /** @param urls of the service, and of its tokens */
  constructor(urls: readonly string[]) {
    this.#origins = urls.map((url) => new URL(url).origin);
    globalThis.fetch = async (...[input, init]) => {
      this.#count(new URL(input instanceof Request ? input.url : input), init?.method);
      return await this.#fetch(input, init);
    };
  }

  #count({ origin, pathname }: URL, method = 'GET'): void {
    const isWebsites = this.#origins.includes(origin) && !pathname.startsWith('/omi/device');
    if (isWebsites) this.#counted.push(`${method} ${pathname}`);
  }

  /** Those since the last time. */
  take(): string[] {
    return this.#counted.splice(0);
  }

  [Symbol.dispose](): void {
    globalThis.fetch = this.#fetch;
  }
}
