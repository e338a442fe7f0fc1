import type { JwtPayload } from 'aws-jwt-verify/jwt-model';

/** The claims of a verified access token that the service uses. */
export type AccessToken = {
  /** `client_id`, else `azp`. */
  clientId: string | undefined;
  scopes: ReadonlySet<string>;
  /** `exp`, seconds since 1970. */
  expiresAt: number;
  /** A claim that is a non-empty string. */
  text: (claim: string) => string | undefined;
};

function textOf(claims: JwtPayload, claim: string): string | undefined {
  const value = claims[claim];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** RFC 8693, section 4.2: one string, separated by spaces. The library rejects any other form of `scope`. */
function scopesOf({ scope = '' }: JwtPayload, prefix: string): Set<string> {
  const names = scope.split(' ');
  return new Set(names.map((name) => (name.startsWith(prefix) ? name.slice(prefix.length) : name)));
}

/** @param scopePrefix what the issuer puts before each scope */
export const readAccessToken = (claims: JwtPayload, scopePrefix: string): AccessToken => ({
  clientId: textOf(claims, 'client_id') ?? textOf(claims, 'azp'),
  scopes: scopesOf(claims, scopePrefix),
  expiresAt: claims.exp ?? 0,
  text: (claim) => textOf(claims, claim),
});
