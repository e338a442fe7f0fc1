import type { WebAppConfig } from './web-app-config.ts';

/** The path of an enrolment's link. */
const enrolPath = '/enrol';

type LinkSettings = Pick<WebAppConfig, 'apple' | 'android'>;

/**
 * By which native apps open the links of this host and use its passkeys, by path. A host without native apps has these files,
 * too: the file of a removed app would keep its rights.
 */
export const universalLinkFiles = (settings: LinkSettings): Record<string, object> => ({
  '/.well-known/apple-app-site-association': appleAssociation(settings),
  '/.well-known/assetlinks.json': androidLinks(settings),
});

/** https://developer.apple.com/documentation/xcode/supporting-associated-domains */
function appleAssociation({ apple }: LinkSettings): object {
  const appIDs = apple?.appIds ?? [];
  const details = appIDs.length === 0 ? [] : [{ appIDs, components: [{ '/': enrolPath }] }];
  return { applinks: { details }, webcredentials: { apps: appIDs } };
}

/** https://developer.android.com/identity/sign-in/credential-manager#add-support-dal */
const androidLinks = ({ android }: LinkSettings): object =>
  android.map(({ packageName, fingerprints }) => ({
    relation: ['delegate_permission/common.handle_all_urls', 'delegate_permission/common.get_login_creds'],
    target: {
      namespace: 'android_app',
      package_name: packageName,
      sha256_cert_fingerprints: fingerprints,
    },
  }));
