import { type Command, Option } from 'commander';
import { type Complete, topCommand } from '../command.ts';
import { UsageError } from '../command-error.ts';
import { readLocalDescription, type LocalDescription } from '../deployment/local-description.ts';
import type { Session } from '../session.ts';
import { type Variables, websiteVariables } from '../../client/website-variables.ts';

/** How a website of the demo's tenant calls the local stack, and where people open its pages. */
function localVariables({
  baseUrl,
  tokenUrl,
  tenants,
  appUrl,
  exportsUrl,
  siteUrl,
}: LocalDescription): Variables {
  const [tenant] = tenants;
  return {
    ...websiteVariables({ baseUrl, tokenUrl, ...tenant }),
    ...(siteUrl !== undefined && { OMI_SITE_URL: siteUrl }),
    ...(appUrl !== undefined && { OMI_APP_URL: appUrl }),
    ...(exportsUrl !== undefined && { OMI_EXPORTS_URL: exportsUrl }),
  };
}

/**
 * What makes the AWS SDKs and the AWS CLI call the local stack. It accepts any credentials.
 * https://docs.aws.amazon.com/sdkref/latest/guide/feature-ss-endpoints.html
 */
function awsVariables({ aws }: LocalDescription): Variables {
  const { region, endpoints } = aws;
  const urls = Object.entries({ ...endpoints, iam: endpoints['sts'] ?? '' });
  return {
    AWS_REGION: region,
    // The AWS CLI and boto3 read only this name.
    AWS_DEFAULT_REGION: region,
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
    ...Object.fromEntries(urls.map(([service, url]) => [`AWS_ENDPOINT_URL_${service.toUpperCase()}`, url])),
  };
}

/** Lines for a POSIX shell. Between single quotes nothing but a single quote has a meaning. */
const exportLines = (variables: Variables): string =>
  Object.entries(variables)
    .map(([name, value]) => `export ${name}='${value.replaceAll("'", String.raw`'\''`)}'`)
    .join('\n');

const usage = `
In a shell:
  $ eval "$(npx omi env)"

The client secret is valid only on this local stack.
`;

const plainCommand = topCommand({
  options: [new Option('--aws', 'also the variables with which AWS SDKs and the AWS CLI call the local AWS')],
  examples: ['env', 'env --aws', 'env --json'],
  run: printVariables,
});

/** For a stage in the cloud there is no secret to print: it is shown only once, when the client is made. */
function onlyLocal(_: Command, command: Command): void {
  for (const name of ['stage', 'region'])
    if (command.getOptionValueSourceWithGlobals(name) === 'cli')
      throw new UsageError(`omi env is only for the local stack: --${name} cannot be used with it.`);
}

export const envCommand: Complete = (command, terminal) =>
  plainCommand(command, terminal).addHelpText('after', usage).hook('preAction', onlyLocal);

async function printVariables(session: Session, { aws }: { aws?: true }): Promise<void> {
  const stack = await readLocalDescription(session.environment);
  const variables = { ...localVariables(stack), ...(aws && awsVariables(stack)) };
  session.print(variables, exportLines(variables));
}
