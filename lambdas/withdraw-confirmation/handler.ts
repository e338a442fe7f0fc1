import * as v from 'valibot';
import { challengeIdOf } from '../../core/kernel/identifiers.ts';
import { Refusal } from '../../core/kernel/refusal.ts';
import { noContent } from '../../core/http/responses.ts';
import { withdrawalQuery } from '../../core/http/request-schemas.ts';
import { websiteHandler } from '../../core/http/website-handler.ts';
import {
  withdrawConfirmation,
  withdrawOpen,
  type WithdrawDeps,
} from '../../core/confirmations/withdraw-confirmation.ts';

const request = v.object({ query: withdrawalQuery });

const oneOf = 'expected either nonce or userId';
const errors = ['#/query/nonce', '#/query/userId'].map((pointer) => ({ pointer, detail: oneOf }));

export const createHandler = (deps: WithdrawDeps) =>
  websiteHandler(request, async ({ query: { nonce, userId } }, { caller, ...context }) => {
    const { tenantId, clientId } = caller;
    if ((nonce === undefined) === (userId === undefined))
      throw new Refusal('invalid-request', `The request is not valid: ${oneOf}.`, { errors });
    if (nonce !== undefined) await withdrawConfirmation(deps, challengeIdOf(tenantId, nonce), context);
    if (userId !== undefined) await withdrawOpen(deps, { tenantId, userId, clientId }, context);
    return noContent;
  });
