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

/** @param host the web app's host, if the stage has one: a name, or a reference that CloudFormation resolves */
export function appAddresses({ appLink, webApp }: StageConfig, host: string | undefined): AppAddresses {
  const own = host === undefined ? appLink : `https://${host}`;
  if (own === undefined) throw new Error('A stage requires the web app or an appLink.');
  const rpId = webApp.rpId ?? host ?? new URL(own).hostname;
  const origins = [
    host === undefined ? new URL(own).origin : own,
    ...nativeOrigins(webApp, rpId),
    ...webApp.origins,
  ];
  return { APP_LINK: appLink ?? own, RP_ID: rpId, ORIGINS: [...new Set(origins)].join(',') };
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
