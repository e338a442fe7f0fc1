import * as v from 'valibot';
import { globalCertificateArn, hostName, section } from './config-schemas.ts';

const settings = section({
  /** Serves the page on which tenants see and steer their exports. */
  enabled: v.optional(v.boolean(), true),
  /** Members of tenants sign in there, beside the pasted token. */
  signIn: v.optional(v.boolean(), true),
  /** The page's own host name. Default: a name that CloudFront chooses. */
  domain: v.optional(section({ name: hostName, certificateArn: globalCertificateArn })),
});

export type ExportsPageConfig = v.InferOutput<typeof settings>;

const turnedOff = v.pipe(
  v.literal(false),
  v.transform((enabled): ExportsPageConfig => ({ enabled, signIn: false })),
);

/** `false` is short for `{ "enabled": false }`. */
export const exportsPage = v.lazy<typeof settings | typeof turnedOff>((input) =>
  input === false ? turnedOff : settings,
);

/** A page at the origin of something else could read what belongs to that. */
export function exportsPageFault(
  { enabled, domain }: ExportsPageConfig,
  others: readonly (string | undefined)[],
): string | undefined {
  if (!enabled || !domain || !others.includes(domain.name)) return undefined;
  return 'exportsPage.domain.name: expected another name than those of api.domain and webApp.domain, because the page has an origin of its own';
}
