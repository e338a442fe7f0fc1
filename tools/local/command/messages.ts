import { isSiteBuilt } from '../docs/built-site.ts';
import type { Stack } from '../stack/stack.ts';
import { type StackDescription, stackFileIn } from '../stack/stack-file.ts';
import { websiteFileIn } from '../stack/website-file.ts';
import { servers, type Settings } from './settings.ts';

const portText = ({ variable, usual, serves }: (typeof servers)[keyof typeof servers]): string =>
  `  ${variable}${variable.length > 12 ? '\n                ' : '  '}port of ${serves} (default ${usual}, or any free port if OMI_PORT is 0)`;

export const usage = `Usage: npm start

Runs the whole service on this machine, on loopback, without an AWS account or Docker. Stop it with Ctrl-C.

Environment:
  OMI_PORT      port of the API (default 8080; 0 for any free port)
${Object.values(servers).map(portText).join('\n')}
  OMI_TOKEN_PORT
                port for access tokens (default 8082, or any free port if OMI_PORT is 0 or 8082 is in use)
  OMI_CLIENT_SECRET
                secret of the client "demo-website" (by default a random one, made at the first start and kept)
  OMI_DATA      folder that keeps the data for the next start; without it they are lost when the stack stops
  OMI_STATE     folder for stack.json, which describes the running stack, website.env, which has what a website needs,
                secrets.json, which keeps the clients' secrets, and lambda.log (default .local)

With a TLS proxy or a tunnel in front of the stack:
  OMI_BASE_URL  public URL of the API, such as https://localhost:8443: the audience of every device's call, and part of
                the links in QR codes
  OMI_FORMER_BASE_URLS
                earlier public URLs of the API, separated by commas, which devices may still name
  OMI_APP_URL   public URL of the web app: where the links in QR codes lead, and the origin of keys and passkeys

For many stacks on one machine, such as those of the tests:
  OMI_BUNDLES   folder with the Lambdas' bundles, the web app in app/, the demo bank in site/, the exports page in
                exports-page/ and the help desk in console/; without it the stack makes them
  OMI_DYNAMODB  URL of a DynamoDB Local that keeps a database for each access key; without it the stack starts its own
  OMI_KINESIS   socket of a Kinesis emulator, in which each stack has its own account; without it the stack starts one
  OMI_WARM      "no" loads each Lambda at its first call; by default all are loaded when the stack is ready, so that
                first calls are quick

The latest calls to the local AWS are at /calls, next to the pushesUrl of stack.json. GET lists them, oldest first, with
the access key of the caller (each Lambda has its own), or with ?caller= those of one key; DELETE clears the list. The
pushes at pushesUrl are all, or with ?token= those to one device; the mails at mailsUrl are all, or with ?to= those to one address.

Exit code: 0 after Ctrl-C, SIGTERM or SIGHUP; 1 if the stack could not start or a part of it crashed;
130 after a second Ctrl-C, which stops it at once.`;

export const waitingText =
  'Starting the local stack: DynamoDB Local (Java), the other AWS services, the token issuer and the Lambdas …';

/** For who has a website. */
const guide = 'docs/step-up-in-ten-minutes.md';

type Ready = Pick<Stack, 'description' | 'addresses'>;

export function readyText(
  { directory, dataDirectory }: Pick<Settings, 'directory' | 'dataDirectory'>,
  { description, addresses }: Ready,
  milliseconds: number,
): string {
  const {
    siteUrl,
    baseUrl,
    appUrl,
    exportsUrl,
    consoleUrl,
    docsUrl,
    requestsUrl,
    tokenUrl,
    tenants,
    exports,
  } = description;
  const [tenant] = tenants;
  const places = exports.filter(({ tenantId }) => tenantId === tenant?.tenantId).map(placeOf);
  return `
Ready after ${(milliseconds / 1_000).toFixed(1)} s. Stop it with Ctrl-C.

  demo bank      ${siteUrl}
  web app        ${withAddress(appUrl, addresses.app)}
  exports page   ${exportsUrl}
  help desk      ${consoleUrl}
  requests       ${requestsUrl}
  docs           ${isSiteBuilt() ? docsUrl : `${docsUrl}, after "npm run docs:site"`}
  base URL       ${withAddress(baseUrl, addresses.api)}
  token URL      ${tokenUrl}
  client id      ${tenant?.clientId ?? ''}
  client secret  ${tenant?.clientSecret ?? ''}
  its events     ${places.join(', ')}
  for a website  ${websiteFileIn(directory)}
  more           ${stackFileIn(directory)}
  data           ${dataDirectory ?? 'lost at the end, devices too: OMI_DATA=.local/data npm start keeps them'}

Next:
  open ${siteUrl.padEnd(21)} a demo bank and its user's phone, side by side
  open ${requestsUrl.padEnd(21)} each call of your website, live, and why it was refused
  npm run demo               plays the whole flow with a simulated phone, in a second terminal
  npm run demo -- --by-hand  prints an enrolment link for the web app: you confirm there
  add step-up to a website   ${guide}`;
}

const withAddress = (url: string, address: string): string =>
  url === address ? url : `${url} (forward it to ${address})`;

const placeOf = ({ category, kind, streamName, bucket }: StackDescription['exports'][number]): string =>
  `${category}: ${kind} ${streamName ?? bucket ?? ''}`;
