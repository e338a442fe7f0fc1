import type { StageConfig } from './config.ts';
import type { WebAppConfig } from './web-app-config.ts';

/** What Lambdas are told of the apps, by variable. */
export type AppAddresses = {
  /** Host and path that the QR code of an enrolment opens. */
  APP_LINK: string;
  /** The host to which passkeys belong. */
  RP_ID: string;
  /** Origins from which passkeys are accepted, separated by commas. */
  ORIGINS: string;
};

/** A name, or a reference that CloudFormation resolves. */
type Host = string;

/**
 * Without web app and link, the QR code of an enrolment names the API: users scan it in an app that reads such codes by itself.
 *
 * @param hosts.web the web app's, if the stage has one
 */
export function appAddresses(
  { appLink, webApp }: StageConfig,
  hosts: { web: Host | undefined; api: Host },
): AppAddresses {
  const linked = appLink === undefined ? hosts.api : new URL(appLink).host;
  const host = hosts.web ?? linked;
  const rpId = webApp.rpId ?? host.replace(/:\d+$/, '');
  const origins = [`https://${host}`, ...nativeOrigins(webApp, rpId), ...webApp.origins];
  return { APP_LINK: appLink ?? `https://${host}`, RP_ID: rpId, ORIGINS: [...new Set(origins)].join(',') };
}

/**
 * The origins that native apps write into their passkeys' client data. iOS writes the RP id, Android the certificate that
 * signed the app: https://developer.android.com/identity/passkeys/create-passkeys#verify-origin
 */
const nativeOrigins = ({ apple, android }: WebAppConfig, rpId: string): string[] => [
  ...(apple ? [`https://${rpId}`] : []),
  ...android.flatMap(({ fingerprints }) => fingerprints.map(androidOrigin)),
];

const androidOrigin = (fingerprint: string): string =>
  `android:apk-key-hash:${Buffer.from(fingerprint.replaceAll(':', ''), 'hex').toString('base64url')}`;
