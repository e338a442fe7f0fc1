import * as v from 'valibot';
import { WebsiteClient } from '../../client/website-client.ts';
import type { LocalStack } from '../stack/stack.ts';
import { omi } from '../stack/omi.ts';

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
    const made = await omi(this.#stack, 'tenant', 'create', '--name', 'Websites with call-backs', ...limits);
    return v.parse(createdTenant, made).tenantId;
  }

  async newWebsite(tenantId: string, name: string, callbackUrl: string): Promise<WebsiteClient> {
    const options = ['--name', name, '--scope', 'all', '--callback-url', callbackUrl];
    const made = await omi(this.#stack, 'client', 'create', tenantId, ...options);
    return new WebsiteClient({ ...this.#stack.file, ...v.parse(createdClient, made) });
  }
}
