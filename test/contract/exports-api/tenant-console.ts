/** A tenant's own program that steers the export, and what the tenant has in its AWS account. */
import * as v from 'valibot';
import { createdEvent } from '../events/event.ts';
import { succeeded } from '../expectations.ts';
import type { Category, TargetRef } from '../../../core/events/target-ref.ts';
import type { StreamDestination } from '../../../core/export/kinds/stream/record.ts';
import { WebsiteClient } from '../../../client/website-client.ts';
import { jsonOn } from '../../cli/omi.ts';
import type { TestStack } from '../../support/stack.ts';
import { eventually } from '../../support/waiting.ts';
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
  private constructor(
    stack: TestStack,
    { tenantId, clientId, client }: { tenantId: string; clientId: string; client: WebsiteClient },
  ) {
    this.register = new Register(stack.file);
    this.account = new TenantAccount(stack.file);
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

  readonly register: Register;
  readonly account: TenantAccount;

  /** A new stream of the tenant that gets its public events. */
  async activateStream(): Promise<StreamDestination> {
    const destination = await this.account.makeStream({ shards: 1 });
    await this.register.activate(this.ref(), destination);
    return destination;
  }

  /** @returns its id */
  async recordEvent(): Promise<string> {
    const event = createdEvent(this.tenantId);
    succeeded(await this.client.recordEvents([event]), 202);
    return event.metadata.eventId;
  }

  /** The only export, as soon as it is like that. */
  async untilListed(isSo: (entry: ExportEntry) => boolean): Promise<ExportEntry> {
    let found: ExportEntry | undefined;
    await this.until('/omi/exports', ({ exports }) => {
      [found] = exports as ExportEntry[];
      return found !== undefined && isSo(found);
    });
    if (!found) throw new Error('The tenant has no export');
    return found;
  }

  /** The answer, as soon as it is like that. */
  async until(
    path: string,
    isSo: (body: Record<string, unknown>) => boolean,
  ): Promise<Record<string, unknown>> {
    let body: Record<string, unknown>;
    return await eventually(
      () => `${path} answers ${JSON.stringify(body)}`,
      async () => {
        body = (await this.get(path)).body as Record<string, unknown>;
        return isSo(body) ? body : undefined;
      },
    );
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
  // Only the checkpoint of a log is a plain text.
  const isText = headers.get('content-type')?.startsWith('text/plain') ?? false;
  return { status, headers, body: text === '' || isText ? text || undefined : (JSON.parse(text) as unknown) };
}
