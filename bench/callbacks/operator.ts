import * as v from 'valibot';
import { WebsiteClient } from '../../client/website-client.ts';
import { run } from '../../cli/program.ts';
import type { LocalStack } from '../api/stack.ts';

const createdTenant = v.object({ tenantId: v.string() });
const createdClient = v.object({ clientId: v.string(), clientSecret: v.string() });

/** Registers tenants and clients as an operator does, in this process. */
export class Operator {
  readonly #stack: LocalStack;

  constructor(stack: LocalStack) {
    this.#stack = stack;
  }

  /** A tenant whose users may be asked often. */
  async newTenant(): Promise<string> {
    const limits = ['--per-ten-minutes', '1000', '--per-day', '1000'];
    const made = await this.#omi('tenant', 'create', '--name', 'Websites with call-backs', ...limits);
    return v.parse(createdTenant, made).tenantId;
  }

  async newWebsite(tenantId: string, name: string, callbackUrl: string): Promise<WebsiteClient> {
    const options = ['--name', name, '--scope', 'all', '--callback-url', callbackUrl];
    const made = await this.#omi('client', 'create', tenantId, ...options);
    return new WebsiteClient({ ...this.#stack.file, ...v.parse(createdClient, made) });
  }

  async #omi(...args: string[]): Promise<unknown> {
    const said = { out: '', err: '' };
    const code = await run(['--local', '--json', ...args], {
      out: (text) => void (said.out += text),
      err: (text) => void (said.err += text),
      environment: { ...process.env, OMI_STATE: this.#stack.directory },
    });
    if (code !== 0) throw new Error(`omi ${args.join(' ')} failed: ${said.err}`);
    return JSON.parse(said.out);
  }
}
