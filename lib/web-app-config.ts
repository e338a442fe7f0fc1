import * as v from 'valibot';
import { brandColor } from '../core/tenants/brand.ts';
import { httpsUrl } from '../core/kernel/web-url.ts';
import { visibleText } from '../core/kernel/text.ts';
import { languages } from '../pages/app/src/i18n/texts.ts';
import { globalCertificateArn, hostName, section, text } from './config-schemas.ts';

/** 32 bytes in hexadecimal, as Android's tools and the Play Console print them. */
const fingerprint = v.pipe(
  v.string(),
  v.toUpperCase(),
  v.regex(/^[0-9A-F]{2}(:[0-9A-F]{2}){31}$/, 'expected a SHA-256 fingerprint like 14:6D:E9:…'),
);

const appId = v.pipe(
  v.string(),
  v.regex(/^[A-Z0-9]{10}\.[\w.-]+$/, 'expected <team id>.<bundle id>, like DEF1234567.com.example.app'),
);

/** A web origin, or an Android app as WebAuthn names it. */
const passkeyOrigin = v.pipe(
  v.string(),
  v.regex(
    /^(https:\/\/[^/?#*,\s]+|android:apk-key-hash:[\w-]{43})$/,
    'expected an origin like https://www.example.com or android:apk-key-hash:…',
  ),
);

/** How the stage presents the app, in place of OMI's own name and colours. */
const brand = section({
  name: visibleText(30),
  /** Below the icon on a phone, where longer names are cut. */
  shortName: v.exactOptional(visibleText(12)),
  /** The app makes it darker or lighter, so that its texts can be read. */
  color: v.exactOptional(brandColor),
  /** A folder with icons that replace those of the same name in `pages/app/icons`, and in the other pages. */
  icons: v.exactOptional(text),
  /** Those that the app speaks. The first one is for everybody else. */
  languages: v.exactOptional(v.pipe(v.array(v.picklist(languages)), v.minLength(1))),
  imprintUrl: v.exactOptional(httpsUrl()),
  privacyUrl: v.exactOptional(httpsUrl()),
});

export type StageBrandConfig = v.InferOutput<typeof brand>;

/** What the app reads of it. The icons are files of their own, and the short name is for the manifest. */
export const appBrandOf = ({ icons: _, shortName: __, ...brand }: StageBrandConfig) => brand;

/** What the pages besides the app read, which speak English alone. */
export function pageBrandOf(stage: StageBrandConfig) {
  const { languages: _, ...brand } = appBrandOf(stage);
  return brand;
}

const entries = {
  /** Serves the web app. Without it users need a native app. */
  enabled: v.optional(v.boolean(), true),
  /**
   * The web app's own host name. Choose it before the first enrolment: keys and passkeys of web devices belong to it.
   * Default: a name that CloudFront chooses.
   */
  domain: v.optional(section({ name: hostName, certificateArn: globalCertificateArn })),
  brand: v.exactOptional(brand),
  /** Native apps that open the links of this host and use its passkeys. */
  apple: v.optional(section({ appIds: v.pipe(v.array(appId), v.minLength(1)) })),
  android: v.optional(
    v.array(section({ packageName: text, fingerprints: v.pipe(v.array(fingerprint), v.minLength(1)) })),
    [],
  ),
  /** The host to which passkeys belong. Default: the web app's host; without a web app that of `appLink`, else the API's. */
  rpId: v.optional(hostName),
  /** More origins from which passkeys are accepted, besides those of the web app and the native apps above. */
  origins: v.optional(v.array(passkeyOrigin), []),
};

const settings = section(entries);

export type WebAppConfig = v.InferOutput<typeof settings>;

const turnedOff = v.pipe(
  v.literal(false),
  v.transform((enabled): WebAppConfig => ({ ...v.parse(settings, {}), enabled })),
);

/** `false` is short for `{ "enabled": false }`. */
export const webApp = v.lazy<typeof settings | typeof turnedOff>((input) =>
  input === false ? turnedOff : settings,
);

/** Browsers accept a host itself and its parent domains as the RP id: https://www.w3.org/TR/webauthn-3/#relying-party-identifier */
const isRpIdOf = (rpId: string, host: string): boolean => host === rpId || host.endsWith(`.${rpId}`);

/** What is wrong with settings that depend on each other. */
export function webAppFault(
  { enabled, domain, rpId }: WebAppConfig,
  { apiDomain }: { apiDomain: string | undefined },
): string | undefined {
  if (enabled && domain && domain.name === apiDomain)
    return 'webApp.domain.name: expected another name than that of api.domain, because the app has an origin of its own';
  if (!enabled || rpId === undefined || (domain && isRpIdOf(rpId, domain.name))) return undefined;
  return 'webApp.rpId: expected webApp.domain.name or a parent domain of it, because browsers reject every other one';
}
