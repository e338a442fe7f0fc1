import * as v from 'valibot';
import { globalCertificateArn, hostName, httpsUrl, section, text } from './config-schemas.ts';

const domainPrefix = v.pipe(
  v.string(),
  v.regex(/^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/, 'expected lower-case letters, digits and hyphens'),
);

/** Who signs the members of the help desk in, and those of tenants at the exports page. */
export const staff = v.variant('kind', [
  section({
    kind: v.literal('pool'),
    /** Prefix of the sign-in page's host name, unique in the region. Default: stage and account. */
    domainPrefix: v.optional(domainPrefix),
  }),
  section({
    kind: v.literal('oidc'),
    issuer: v.pipe(v.string(), v.url(), v.startsWith('https://')),
    /** The public client of the help desk's page: code with PKCE, and `aud` of its tokens. */
    clientId: text,
    /** The same of the exports page. Without it, that page takes pasted tokens alone. */
    exportsClientId: v.optional(text),
    /** Claim with the groups of a member. */
    groupsClaim: v.optional(text, 'groups'),
    authorizationUrl: httpsUrl,
    tokenUrl: httpsUrl,
  }),
]);

export type StaffConfig = v.InferOutput<typeof staff>;

const settings = section({
  /** Serves the help desk's page. */
  enabled: v.optional(v.boolean(), true),
  /** The page's own host name. Default: a name that CloudFront chooses. */
  domain: v.optional(section({ name: hostName, certificateArn: globalCertificateArn })),
});

export type ConsoleConfig = v.InferOutput<typeof settings>;

const turnedOff = v.pipe(
  v.literal(false),
  v.transform((enabled): ConsoleConfig => ({ enabled })),
);

/** `false` is short for `{ "enabled": false }`. */
export const consolePage = v.lazy<typeof settings | typeof turnedOff>((input) =>
  input === false ? turnedOff : settings,
);

/** A page at the origin of something else could read what belongs to that. */
export function consoleFault(
  { enabled, domain }: ConsoleConfig,
  others: readonly (string | undefined)[],
): string | undefined {
  if (!enabled || !domain || !others.includes(domain.name)) return undefined;
  return 'console.domain.name: expected another name than those of api.domain, webApp.domain and exportsPage.domain, because the page has an origin of its own';
}
