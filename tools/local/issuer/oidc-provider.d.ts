/** The part of `oidc-provider` that the local issuers use. The package has no types. */
declare module 'oidc-provider' {
  import type { JsonWebKey } from 'node:crypto';
  import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';

  export type ClientMetadata = {
    client_id: string;
    client_secret?: string;
    scope?: string;
    token_endpoint_auth_method?: string;
    grant_types: string[];
    response_types: string[];
    redirect_uris: string[];
  };

  export type ResourceIndicators = {
    enabled: boolean;
    defaultResource: (context: unknown, client: { clientId: string }) => string;
    useGrantedResource: () => boolean;
    getResourceServerInfo: (
      context: unknown,
      resource: string,
      client: { clientId: string },
    ) => ResourceServerContent;
  };

  /** Named after the models: `ttl.ClientCredentials`. */
  export type Configuration = {
    adapter: new (model: string) => { find(id: string): object | undefined };
    clients: ClientMetadata[];
    clientAuthMethods: string[];
    clientBasedCORS: (context: unknown, origin: string, client: { clientId: string }) => boolean;
    features: Record<string, { enabled: boolean } | ResourceIndicators>;
    extraTokenClaims: (context: unknown, token: { accountId: string }) => Record<string, unknown>;
    jwks: { keys: JsonWebKey[] };
    renderError: (context: { body: unknown }, out: Record<string, unknown>) => void;
    responseTypes: string[];
    scopes: readonly string[];
    ttl: Record<string, number>;
    pkce: { required: () => boolean };
    claims: Record<string, string[]>;
    conformIdTokenClaims: boolean;
    findAccount: (
      context: unknown,
      accountId: string,
    ) => { accountId: string; claims: () => Record<string, unknown> } | undefined;
    loadExistingGrant: (context: {
      oidc: { session: { accountId: string }; client: { clientId: string }; provider: Provider };
    }) => Promise<Grant>;
    interactions: { url: (context: unknown, interaction: { uid: string }) => string };
    cookies: { keys: string[] };
  };

  export type Grant = {
    addOIDCScope(scope: string): void;
    addResourceScope(resource: string, scope: string): void;
    save(): Promise<string>;
  };

  export type TokenContext = {
    body: unknown;
    oidc: { client: { clientId: string; scope: string }; params: { scope?: string } };
  };

  export class Provider {
    /** Tells Koa not to print errors to the console. */
    silent: boolean;
    Client: { prototype: Client };
    ClientCredentials: new (content: {
      client: TokenContext['oidc']['client'];
      scope: string;
    }) => ClientCredentials;
    ResourceServer: new (identifier: string, content: ResourceServerContent) => object;
    Grant: new (content: { accountId: string; clientId: string }) => Grant;
    constructor(issuer: string, configuration: Partial<Configuration>);
    callback(): RequestListener;
    /** @throws if the browser has not begun a sign-in */
    interactionDetails(request: IncomingMessage, response: ServerResponse): Promise<object>;
    interactionFinished(
      request: IncomingMessage,
      response: ServerResponse,
      result: { login: { accountId: string } },
    ): Promise<void>;
    on(event: 'server_error', listener: (context: unknown, error: Error) => void): this;
    registerGrantType(
      name: string,
      handler: (context: TokenContext) => Promise<void>,
      parameters: readonly string[],
    ): void;
  }

  export type Client = {
    readonly clientId: string;
    compareClientSecret: (this: Client, actual: string) => boolean | Promise<boolean>;
  };

  export type ClientCredentials = {
    resourceServer: object;
    readonly expiration: number;
    readonly tokenType: string;
    save(): Promise<string>;
  };

  export type ResourceServerContent = {
    audience: string;
    scope: string;
    accessTokenFormat: 'jwt';
    accessTokenTTL: number;
    jwt: { sign: { alg: string } };
  };

  export const errors: { InvalidScope: new (description: string, scope: string) => Error };
}
