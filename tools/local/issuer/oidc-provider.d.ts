/** The part of `oidc-provider` that the local issuer uses. The package has no types. */
declare module 'oidc-provider' {
  import type { JsonWebKey } from 'node:crypto';
  import type { RequestListener } from 'node:http';

  export type ClientMetadata = {
    client_id: string;
    client_secret: string;
    scope: string;
    grant_types: string[];
    response_types: string[];
    redirect_uris: string[];
  };

  /** Named after the models: `ttl.ClientCredentials`. */
  export type Configuration = {
    adapter: new (model: string) => { find(id: string): ClientMetadata | undefined };
    clients: ClientMetadata[];
    clientAuthMethods: string[];
    clientBasedCORS: () => boolean;
    features: Record<string, { enabled: boolean }>;
    jwks: { keys: JsonWebKey[] };
    renderError: (context: { body: unknown }, out: Record<string, unknown>) => void;
    responseTypes: string[];
    scopes: readonly string[];
    ttl: Record<string, number>;
  };

  export type TokenContext = {
    body: unknown;
    oidc: { client: { clientId: string; scope: string }; params: { scope?: string } };
  };

  export class Provider {
    /** Of Koa, which otherwise prints errors to the console. */
    silent: boolean;
    Client: { prototype: Client };
    ClientCredentials: new (content: {
      client: TokenContext['oidc']['client'];
      scope: string;
    }) => ClientCredentials;
    ResourceServer: new (identifier: string, content: ResourceServerContent) => object;
    constructor(issuer: string, configuration: Configuration);
    callback(): RequestListener;
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
