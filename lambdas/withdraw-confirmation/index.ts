import { documentClient } from '../../core/aws/dynamodb-client.ts';
import { OpenConfirmations } from '../../core/confirmations/open-confirmation-store.ts';
import { parseEnvironment } from '../../core/lambda/environment.ts';
import { bodilessLambda } from '../../core/http/api-lambda.ts';
import { confirmationDeps } from '../../core/lambda/wiring.ts';
import * as v from 'valibot';
import { challengeIdOf } from '../../core/kernel/identifiers.ts';
import { Refusal } from '../../core/kernel/refusal.ts';
import { noContent } from '../../core/http/responses.ts';
import { withdrawalQuery } from '../../core/http/request-schemas.ts';
import { websiteHandler } from '../../core/http/website-handler.ts';
import {
  withdrawConfirmation,
  withdrawOpen,
  withdrawRequest,
} from '../../core/confirmations/withdraw-confirmation.ts';
import { environment } from './definition.ts';

const env = parseEnvironment(environment, process.env);
const client = documentClient();
const openConfirmations = new OpenConfirmations(client, env.DEVICES_TABLE);
const deps = { ...confirmationDeps(client, env), openConfirmations };

const request = v.object({ query: withdrawalQuery });

const oneOf = 'expected one of nonce, userId and authReqId';

const refused = ({ authReqId }: v.InferOutput<typeof withdrawalQuery>): Refusal => {
  const names = ['nonce', 'userId', ...(authReqId === undefined ? [] : ['authReqId'])];
  const errors = names.map((name) => ({ pointer: `#/query/${name}`, detail: oneOf }));
  return new Refusal('invalid-request', `The request is not valid: ${oneOf}.`, { errors });
};

export const handler = bodilessLambda(
  websiteHandler(request, async ({ query }, { caller, ...context }) => {
    const { nonce, userId, authReqId } = query;
    const { tenantId, clientId } = caller;
    if ([nonce, userId, authReqId].filter((one) => one !== undefined).length !== 1) throw refused(query);
    if (nonce !== undefined) await withdrawConfirmation(deps, challengeIdOf(tenantId, nonce), context);
    if (authReqId !== undefined)
      await withdrawRequest(deps, challengeIdOf(tenantId, authReqId), clientId, context);
    if (userId !== undefined) await withdrawOpen(deps, { tenantId, userId, clientId }, context);
    return noContent;
  }),
);
