import { type StackDescription, stackFileIn } from '../stack/stack-file.ts';

export const usage = `Usage: npm start

Runs the whole service on this machine, on loopback, without an AWS account or Docker. Stop it with Ctrl-C.

Environment:
  OMI_PORT   port of the API (default 8080; 0 for any free port)
  OMI_DATA   folder that keeps the data for the next start; without it they are lost when the stack stops
  OMI_STATE  folder for stack.json, which describes the running stack, and lambda.log (default .local)

What many stacks on one machine can share, such as those of the tests:
  OMI_BUNDLES   folder with the Lambdas' bundles; without it the stack makes them
  OMI_DYNAMODB  URL of a DynamoDB Local that keeps a database for each access key; without it the stack starts its own

The latest calls to the local AWS are at /calls, next to the pushesUrl of stack.json. GET lists them, oldest first, with
the access key of the caller (each Lambda has its own); DELETE clears the list.

Exit code: 0 after Ctrl-C, SIGTERM or SIGHUP; 1 if the stack could not start or a part of it crashed;
130 after a second Ctrl-C, which stops it at once.`;

export const waitingText =
  'Starting the local stack: DynamoDB Local (Java), the other AWS services, the token issuer and the Lambdas …';

export function readyText(directory: string, description: StackDescription, milliseconds: number): string {
  const { baseUrl, tokenUrl, tenants, exports } = description;
  const [tenant] = tenants;
  const places = exports.filter(({ tenantId }) => tenantId === tenant?.tenantId).map(placeOf);
  return `
Ready after ${(milliseconds / 1_000).toFixed(1)} s. Stop it with Ctrl-C.

  base URL       ${baseUrl}
  token URL      ${tokenUrl}
  client id      ${tenant?.clientId ?? ''}
  client secret  ${tenant?.clientSecret ?? ''}
  its events     ${places.join(', ')}
  more           ${stackFileIn(directory)}

Next: run "npm run demo" in a second terminal.`;
}

const placeOf = ({ category, kind, streamName, bucket }: StackDescription['exports'][number]): string =>
  `${category}: ${kind} ${streamName ?? bucket ?? ''}`;
