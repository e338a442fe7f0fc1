/** A tenant with a client that receives signals, and what the client verifies of them. */
import { randomUUID } from 'node:crypto';
import { expect } from '@jest/globals';
import { createLocalJWKSet, jwtVerify, type JSONWebKeySet } from 'jose';
import * as v from 'valibot';
import { WebsiteClient } from '../../../client/website-client.ts';
import { jsonOn } from '../../cli/omi.ts';
import { until } from '../../support/waiting.ts';
import type { TestStack } from '../../support/stack.ts';
import { callAs, type ApiAnswer } from '../exports-api/tenant-console.ts';

export const push = 'urn:ietf:rfc:8935';
export const poll = 'urn:ietf:rfc:8936';

const caep = 'https://schemas.openid.net/secevent/caep/event-type';
export const credentialChange = `${caep}/credential-change`;
export const riskLevelChange = `${caep}/risk-level-change`;
export const verification = 'https://schemas.openid.net/secevent/ssf/event-type/verification';

export type StreamConfiguration = {
  stream_id: string;
  iss: string;
  aud: string;
  events_supported: string[];
  events_requested?: string[];
  events_delivered: string[];
  delivery: { method: string; endpoint_url: string };
  description?: string;
};

/** The claims of a signal that was verified. */
export type Signal = {
  iss: string;
  jti: string;
  iat: number;
  aud: string;
  txn?: string;
  sub_id: { format: string; iss?: string; sub?: string; id?: string };
  events: Record<string, Record<string, unknown>>;
};

export type Metadata = Record<string, unknown> & {
  issuer: string;
  jwks_uri: string;
  configuration_endpoint: string;
  status_endpoint: string;
  verification_endpoint: string;
};

export const metadataOf = async ({ baseUrl }: { baseUrl: string }): Promise<Metadata> => {
  const answer = await fetch(`${baseUrl}/.well-known/ssf-configuration`);
  expect(answer.status).toBe(200);
  return (await answer.json()) as Metadata;
};

export const keySetOf = async ({ jwks_uri }: Metadata): Promise<JSONWebKeySet> =>
  (await (await fetch(jwks_uri)).json()) as JSONWebKeySet;

const websiteScopes = [
  'credential:omi:enrol:qr:post',
  'credential:omi:devices:delete',
  'credential:omi:push-notification:device:post',
  'credential:omi:push-notification:post',
];

const receiverScopes = ['ssf.read', 'ssf.manage'];

export class ReceivingTenant {
  readonly tenantId: string;
  readonly clientId: string;
  readonly client: WebsiteClient;
  readonly metadata: Metadata;
  /** A stack that was started again has another address. */
  readonly issuers: string[];
  readonly #stack: TestStack;
  readonly #verify: (token: string, aud: string) => Promise<Signal>;

  private constructor(
    stack: TestStack,
    made: { tenantId: string; clientId: string; client: WebsiteClient },
    metadata: Metadata,
    keys: JSONWebKeySet,
  ) {
    this.#stack = stack;
    this.tenantId = made.tenantId;
    this.clientId = made.clientId;
    this.client = made.client;
    this.metadata = metadata;
    this.issuers = [metadata.issuer];
    const key = createLocalJWKSet(keys);
    this.#verify = async (token, audience) => {
      const { payload, protectedHeader } = await jwtVerify(token, key, {
        issuer: this.issuers,
        audience,
        algorithms: ['RS256'],
        typ: 'secevent+jwt',
      });
      expect(protectedHeader.kid).toBeDefined();
      return payload as unknown as Signal;
    };
  }

  static async open(stack: TestStack, scopes = receiverScopes): Promise<ReceivingTenant> {
    const { tenantId } = await jsonOn(stack)<{ tenantId: string }>(
      'tenant',
      'create',
      '--name',
      'Signalling',
    );
    const metadata = await metadataOf(stack.file);
    const made = await newClient(stack, tenantId, 'receiver', [...scopes, ...websiteScopes]);
    return new ReceivingTenant(stack, { tenantId, ...made }, metadata, await keySetOf(metadata));
  }

  /** Another client of the same tenant. */
  async neighbour(): Promise<ReceivingTenant> {
    const { tenantId, metadata } = this;
    const made = await newClient(this.#stack, tenantId, `neighbour ${randomUUID()}`, receiverScopes);
    return new ReceivingTenant(this.#stack, { tenantId, ...made }, metadata, await keySetOf(metadata));
  }

  async call(method: string, url: string, json?: unknown): Promise<ApiAnswer> {
    const path = url.slice(this.metadata.issuer.length);
    return await callAs(this.client, { method, path, ...(json !== undefined && { json }) });
  }

  async configure(method: string, json?: unknown): Promise<ApiAnswer> {
    return await this.call(method, this.metadata.configuration_endpoint, json);
  }

  async createStream(request: object = {}): Promise<StreamConfiguration> {
    const { status, body } = await this.configure('POST', request);
    expect({ status, body }).toMatchObject({ status: 201 });
    return body as StreamConfiguration;
  }

  async read(streamId?: string): Promise<ApiAnswer> {
    return await this.call('GET', withStream(this.metadata.configuration_endpoint, streamId));
  }

  async delete(streamId: string): Promise<ApiAnswer> {
    return await this.call('DELETE', withStream(this.metadata.configuration_endpoint, streamId));
  }

  async readStatus(streamId: string): Promise<ApiAnswer> {
    return await this.call('GET', withStream(this.metadata.status_endpoint, streamId));
  }

  async setStatus(streamId: string, status: string, reason?: string): Promise<ApiAnswer> {
    const body = { stream_id: streamId, status, ...(reason !== undefined && { reason }) };
    return await this.call('POST', withStream(this.metadata.status_endpoint, streamId), body);
  }

  async requestVerification(streamId: string, state?: string): Promise<ApiAnswer> {
    const body = { stream_id: streamId, ...(state !== undefined && { state }) };
    return await this.call('POST', this.metadata.verification_endpoint, body);
  }

  /** One poll. What comes is verified. */
  async poll({ delivery }: StreamConfiguration, request: object = {}) {
    const { status, body } = await this.call('POST', delivery.endpoint_url, {
      returnImmediately: true,
      ...request,
    });
    expect({ status, body }).toMatchObject({ status: 200 });
    const { sets, moreAvailable } = v.parse(polled, body);
    const signals = await Promise.all(
      Object.entries(sets).map(async ([jti, token]) => {
        const signal = await this.verified(token);
        expect(signal.jti).toBe(jti);
        return signal;
      }),
    );
    return { signals, moreAvailable };
  }

  /** The signals of the stream, as soon as there are so many. They are not acknowledged. */
  async untilPolled(stream: StreamConfiguration, count: number): Promise<Signal[]> {
    let found: Signal[] = [];
    await until(async () => {
      found = (await this.poll(stream)).signals;
      return found.length >= count;
    });
    return found;
  }

  async verified(token: string): Promise<Signal> {
    return await this.#verify(token, this.clientId);
  }
}

const polled = v.strictObject({
  sets: v.record(v.string(), v.string()),
  moreAvailable: v.optional(v.literal(true)),
});

const withStream = (url: string, streamId?: string): string =>
  streamId === undefined ? url : `${url}?stream_id=${encodeURIComponent(streamId)}`;

async function newClient(stack: TestStack, tenantId: string, name: string, scopes: readonly string[]) {
  const made = await jsonOn(stack)<{ clientId: string; clientSecret: string }>(
    ...['client', 'create', '--tenant', tenantId, '--name', name, '--scope', ...scopes],
  );
  return { clientId: made.clientId, client: new WebsiteClient({ ...stack.file, ...made }) };
}
