import * as v from 'valibot';
import type { Tenant } from '../tenants/client-item.ts';
import type { Requester } from '../tenants/tenant.ts';
import { publicJwk } from './public-jwk.ts';

/** SHA-256 in base64url. */
const secretHash = v.pipe(v.string(), v.regex(/^[\w-]{43}$/));

/** A valid secret: the id that its issuer gave it, which its deletion names, and what is stored of it. */
const storedSecret = v.object({ id: v.string(), hash: secretHash });
export type StoredSecret = v.InferOutput<typeof storedSecret>;

/** How a client authenticates itself at this service's own OAuth endpoints, and what it registered for them. */
export const clientOauth = v.object({
  /** What the client may do here. */
  scopes: v.array(v.string()),
  /** Newest first: two during a rotation. */
  secrets: v.optional(v.pipe(v.array(storedSecret), v.maxLength(2)), []),
  /** A client with keys has no secret. It signs assertions (`private_key_jwt`). */
  keys: v.optional(v.pipe(v.array(publicJwk), v.minLength(1))),
  /** `fapi`: the client's keys are ES256 alone, it signs its requests, and its access tokens are bound to a key (FAPI-CIBA). */
  profile: v.optional(v.literal('fapi')),
  /** Where the client is pinged when a CIBA request is decided. */
  notificationUrl: v.optional(v.string()),
  /** `aud` of the access tokens that this service issues to the client. */
  resource: v.optional(v.string()),
});

export type ClientOauth = v.InferOutput<typeof clientOauth>;

/** A client as the OAuth endpoints know it. Its `settings` are those that hold for this client. */
export type RegisteredClient = Omit<ClientOauth, 'secrets'> &
  Pick<Tenant, 'tenantId' | 'settings' | 'suspendedAt' | 'callback'> & {
    clientId: string;
    requester: Requester;
    /** SHA-256 in base64url of each valid secret. */
    secretHashes: readonly string[];
  };
