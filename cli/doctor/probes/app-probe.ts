import * as v from 'valibot';
import { appHeaders } from '../../../pages/app/headers.ts';
import type { Deployment } from '../../deployment/deployment.ts';
import { checkUrl, faultOfPage, jsonOf } from '../check-url.ts';
import type { Finding, Probe } from '../probe.ts';

const deployAgain =
  'Deploy the stage again (npx cdk deploy --all), and look at its CloudFront distribution and its domain name.';

/** What is wrong with an answer of the app's origin, or nothing. */
type Check = {
  path: string;
  is: string;
  fault: (response: Response, deployment: Deployment) => Promise<string | undefined> | string | undefined;
};

/** The web app: its pages, their headers, what it reads of its stack, and its way to the API. */
export const appProbe: Probe = {
  name: 'app',
  check: async (deployment) => {
    const { appUrl, stage } = deployment;
    if (appUrl === undefined) return [];
    const checks = stage === 'local' ? everywhere : [...everywhere, ...links];
    const findings = checks.map(async (check) => await checkAnswer(appUrl, check, deployment));
    return [...(await Promise.all(findings)), ...addressOf(appUrl, stage)];
  },
};

const checkAnswer = async (appUrl: string, { path, is, fault }: Check, deployment: Deployment) =>
  await checkUrl(`${appUrl}${path}`, {
    is,
    fault: async (response) => await fault(response, deployment),
    fix: deployAgain,
  });

const pageFault = (response: Response, { stage }: Deployment): string | undefined =>
  faultOfPage(response, appHeaders, stage);

async function configFault(response: Response, { baseUrl }: Deployment): Promise<string | undefined> {
  const found = v.safeParse(v.object({ baseUrl: v.string() }), await jsonOf(response));
  if (!found.success) return 'names no base URL';
  if (found.output.baseUrl === baseUrl) return undefined;
  return `names the base URL ${found.output.baseUrl}, not ${baseUrl}: the app accepts no enrolment`;
}

const settings = v.object({
  webPush: v.object({ applicationServerKey: v.string() }),
  rpId: v.string(),
  origins: v.array(v.string()),
});

/** An uncompressed point of P-256 in base64url. */
const vapidKey = /^B[\w-]{86}$/;

async function settingsFault(response: Response, { appUrl = '' }: Deployment): Promise<string | undefined> {
  const found = v.safeParse(settings, await jsonOf(response));
  if (!found.success) return 'lacks the settings that devices need';
  const { webPush, rpId, origins } = found.output;
  if (!vapidKey.test(webPush.applicationServerKey)) return 'has no valid VAPID key: nobody gets web pushes';
  const { hostname, origin } = new URL(appUrl);
  if (!origins.includes(origin)) return `does not list ${origin}: the service rejects the app's passkeys`;
  if (hostname !== rpId && !hostname.endsWith(`.${rpId}`))
    return `names the RP id ${rpId}, which browsers reject at ${hostname}`;
  return undefined;
}

/** Apple's and Google's servers follow no redirect and accept only JSON. */
async function linkFault(response: Response): Promise<string | undefined> {
  const type = response.headers.get('content-type') ?? 'none';
  if (!type.startsWith('application/json')) return `has the content type ${type}, not application/json`;
  return (await jsonOf(response)) === undefined ? 'is not JSON' : undefined;
}

const everywhere: readonly Check[] = [
  { path: '/', is: "serves the app with this version's security headers", fault: pageFault },
  { path: '/enrol', is: 'opens the app from the QR code of an enrolment', fault: pageFault },
  { path: '/config.json', is: "names the stack's base URL", fault: configFault },
  { path: '/omi/device/settings', is: 'reaches the API, which has a VAPID key', fault: settingsFault },
];

const links: readonly Check[] = [
  '/.well-known/apple-app-site-association',
  '/.well-known/assetlinks.json',
].map((path) => ({ path, is: 'can be read by the platforms of native apps', fault: linkFault }));

/** A later domain would be another origin. */
export function addressOf(appUrl: string, stage: string): Finding[] {
  if (stage !== 'production' || !new URL(appUrl).hostname.endsWith('.cloudfront.net')) return [];
  return [
    {
      subject: appUrl,
      ok: true,
      warning: true,
      detail: "is CloudFront's name: with a domain later, every web device must enrol again",
      fix: 'Set webApp.domain before the first enrolment, see "The web app" in docs/operations/web-app.md.',
    },
  ];
}
