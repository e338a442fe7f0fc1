/** A tenant's own program that steers the export, and what the tenant has in its AWS account. */
import * as v from 'valibot';
import type { Category, TargetRef } from '../../../core/events/target-ref.ts';
import type { StreamDestination } from '../../../core/export/targets/target.ts';
import { WebsiteClient } from '../../../client/website-client.ts';
import { jsonOn } from '../../cli/omi.ts';
import type { TestStack } from '../../support/stack.ts';
import { Register } from '../export/register.ts';
import { TenantAccount } from '../export/targets.ts';

/** An export in an answer of the API. */
export type ExportEntry = Record<string, unknown> & { category: Category; state: string };

export type ApiAnswer = { status: number; body: unknown; headers: Headers };

export const exportScopes = ['omi:exports:get', 'omi:exports:post'] as const;

export class TenantConsole {
  readonly tenantId: string;
  readonly client: WebsiteClient;
  readonly clientId: string;
  readonly #stack: TestStack;

  private constructor(
    stack: TestStack,
    { tenantId, clientId, client }: { tenantId: string; clientId: string; client: WebsiteClient },
  ) {
    this.#stack = stack;
    this.tenantId = tenantId;
    this.clientId = clientId;
    this.client = client;
  }

  /** A tenant with a client, as the operator makes them. */
  static async open(
    stack: TestStack,
    scopes: readonly string[] = [...exportScopes, 'omi:events:post'],
  ): Promise<TenantConsole> {
    const json = jsonOn(stack);
    const { tenantId } = await json<{ tenantId: string }>('tenant', 'create', '--name', 'Exporting');
    const made = await json<{ clientId: string; clientSecret: string }>(
      ...['client', 'create', '--tenant', tenantId, '--name', 'console', '--scope', ...scopes],
    );
    const client = new WebsiteClient({ ...stack.file, ...made });
    return new TenantConsole(stack, { tenantId, clientId: made.clientId, client });
  }

  ref(category: Category = 'public'): TargetRef {
    return { tenantId: this.tenantId, category };
  }

  get register(): Register {
    return new Register(this.#stack.file);
  }

  get account(): TenantAccount {
    return new TenantAccount(this.#stack.file);
  }

  /** A new stream of the tenant that gets its public events. */
  async activateStream(): Promise<StreamDestination> {
    const destination = await this.account.makeStream({ shards: 1 });
    await this.register.activate(this.ref(), destination);
    return destination;
  }

  async get(path: string): Promise<ApiAnswer> {
    return await callAs(this.client, { method: 'GET', path });
  }

  async post(path: string, json?: unknown): Promise<ApiAnswer> {
    return await callAs(this.client, { method: 'POST', path, ...(json !== undefined && { json }) });
  }
}

/** Any call, with the answer as it came. */
export async function callAs(
  client: WebsiteClient,
  call: Parameters<WebsiteClient['call']>[0],
): Promise<ApiAnswer> {
  const { status, headers, text } = await client.call(call, v.unknown());
  return { status, headers, body: text === '' ? undefined : (JSON.parse(text) as unknown) };
}
