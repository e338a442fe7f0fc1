import { type StackDescription, stackFileIn } from '../stack/stack-file.ts';

export const usage = `Usage: npm start

Runs the whole service on this machine, on loopback: no AWS account and no Docker needed. Ctrl-C ends it.

Environment:
  OMI_PORT   port of the API (default 8080; 0 is any free one)
  OMI_DATA   folder that keeps the data for the next start; without it they are gone at the end
  OMI_STATE  folder for stack.json, which tells others where the stack is, and lambda.log (default .local)

What many stacks on one machine can share, such as those of the tests:
  OMI_BUNDLES   folder with the Lambdas' bundles; without it the stack makes them
  OMI_DYNAMODB  URL of a DynamoDB Local that keeps a database for each access key; without it the stack starts its own

Under the address of pushesUrl in stack.json, /calls has the latest calls to the local AWS, oldest first: GET lists them
with the access key of who made each (every Lambda has its own), DELETE forgets them.

Exit code: 0 when it was asked to end (Ctrl-C, SIGTERM, SIGHUP), 1 when it could not start or a part of it
crashed, 130 after a second Ctrl-C, which waits for nothing.`;

export const waitingText =
  'Starting the local stack. It waits for DynamoDB Local (Java), the other AWS emulators, the token issuer and the Lambdas …';

export function readyText(directory: string, description: StackDescription, milliseconds: number): string {
  const { baseUrl, tokenUrl, tenants, exports } = description;
  const [tenant] = tenants;
  const places = exports.filter(({ tenantId }) => tenantId === tenant?.tenantId).map(placeOf);
  return `
Ready after ${(milliseconds / 1_000).toFixed(1)} s. Ctrl-C ends it.

  base URL       ${baseUrl}
  token URL      ${tokenUrl}
  client id      ${tenant?.clientId ?? ''}
  client secret  ${tenant?.clientSecret ?? ''}
  its events     ${places.join(', ')}
  all the rest   ${stackFileIn(directory)}

Next: npm run demo, in a second terminal.`;
}

const placeOf = ({ category, kind, streamName, bucket }: StackDescription['exports'][number]): string =>
  `${category}: ${kind} ${streamName ?? bucket ?? ''}`;
