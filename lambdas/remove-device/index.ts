import { documentClient } from '../../core/aws/dynamodb-client.ts';
import { parseEnvironment } from '../../core/lambda/environment.ts';
import { bodilessLambda } from '../../core/http/api-lambda.ts';
import { confirmationDeps, endpointDeps, pushChannels } from '../../core/lambda/wiring.ts';
import * as v from 'valibot';
import { noContent } from '../../core/http/responses.ts';
import { devicePath, removalQuery } from '../../core/http/request-schemas.ts';
import { websiteHandler } from '../../core/http/website-handler.ts';
import { removeDeviceForWebsite } from '../../core/enrolment/remove-device-for-website.ts';
import { environment } from './definition.ts';

const env = parseEnvironment(environment, process.env);
const client = documentClient();
const deps = { ...confirmationDeps(client, env), ...endpointDeps(client, env), push: pushChannels(env) };

const request = v.object({ path: devicePath, query: removalQuery });

export const handler = bodilessLambda(
  websiteHandler(request, async ({ path, query }, context) => {
    await removeDeviceForWebsite(deps, { ...path, confirmation: query.confirmation }, context);
    return noContent;
  }),
);
