import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { WebsiteClient } from '../../client/website-client.ts';
import { readStackFile, type StackFile } from '../../tools/local/client/local-stack.ts';

/** A base URL that every stack of the tests had before. */
export const FORMER_BASE_URL = 'https://former.example';

/** A local stack that runs, with what tests need of it. */
export class TestStack {
  #directory: string | undefined;
  #file: StackFile | undefined;
  #logged = 0;
  readonly #clients = new Map<string, WebsiteClient>();

  /** What the stack says about itself once it is ready. */
  get file(): StackFile {
    if (this.#file === undefined) throw new Error('The stack is not started');
    return this.#file;
  }

  get directory(): string {
    if (this.#directory === undefined) throw new Error('The stack is not started');
    return this.#directory;
  }

  /** The demo tenant's website, with every scope. */
  get website(): WebsiteClient {
    return this.#client(0);
  }

  /** The neighbour's website, with every scope. */
  get neighbour(): WebsiteClient {
    return this.#client(1);
  }

  /** A website of the demo bank's tenant, with every scope. */
  get bank(): WebsiteClient {
    return this.#client(2);
  }

  /** The demo tenant's website with a token of these scopes alone. */
  websiteWith(...scopes: string[]): WebsiteClient {
    return new WebsiteClient({ ...this.file, ...this.file.tenants[0] }, { scopes });
  }

  /** Uses the stack that is ready and describes itself in this folder. */
  async attach(directory: string): Promise<void> {
    this.#directory = directory;
    this.#file = await readStackFile(directory);
    this.#logged = (await readFile(this.#logFile)).length;
  }

  /** What the Lambdas have written since the file's tests use the stack. */
  async log(): Promise<string> {
    return (await readFile(this.#logFile)).subarray(this.#logged).toString();
  }

  get #logFile(): string {
    return join(this.directory, 'lambda.log');
  }

  #client(index: 0 | 1 | 2): WebsiteClient {
    const tenant = this.file.tenants[index];
    const known = this.#clients.get(tenant.tenantId);
    if (known !== undefined) return known;
    const client = new WebsiteClient({ ...this.file, ...tenant });
    this.#clients.set(tenant.tenantId, client);
    return client;
  }
}
