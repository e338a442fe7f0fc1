import * as v from 'valibot';
import type { DeviceCallStore } from '../../core/confirmations/device-call-store.ts';
import { answerClaims } from '../../core/devices/protocol/claims.ts';
import { sha256Text } from '../../core/kernel/identifiers.ts';
import { json } from '../../core/http/responses.ts';
import { requestContextOf } from '../../core/http/request-context.ts';
import { readBody, verifierFor } from '../../core/http/device-authorization.ts';
import type { Handler } from '../../core/http/api-lambda.ts';
import { parseRequest } from '../../core/http/parse-request.ts';
import { retryOnConflict } from '../../core/kernel/retry-on-conflict.ts';
import { answerChallenge, type AnswerDeps } from '../../core/confirmations/answer-challenge.ts';

const request = v.object({ body: answerClaims });

export type Deps = AnswerDeps & { calls: DeviceCallStore; baseUrl: string };

export function createHandler({ calls, baseUrl, ...deps }: Deps): Handler {
  const verify = verifierFor(baseUrl);

  return async (event) => {
    const context = requestContextOf(event, Date.now());
    const { identity, message } = readBody(event, 'omi-response+jws');
    const { challengeId } = event.pathParameters ?? {};
    const named = v.is(sha256Text, challengeId) ? challengeId : undefined;
    const status = await retryOnConflict(async () => {
      const { device: found, isSuspended, ...record } = await calls.load(identity, named, context.now);
      const device = await verify({ identity, message }, found, context.now);
      const { body: claims } = parseRequest(request, { body: message.claims });
      const confirmation = isSuspended ? undefined : record.confirmation;
      return await answerChallenge(deps, {
        ...record,
        confirmation,
        device,
        claims,
        jws: message.jws,
        context,
      });
    });
    return json(200, { status });
  };
}
