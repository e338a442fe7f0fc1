import * as v from 'valibot';
import type { CallStore } from '../../core/confirmations/device-call-store.ts';
import { answerClaims } from '../../core/devices/protocol/claims.ts';
import { sha256Text } from '../../core/kernel/identifiers.ts';
import { json } from '../../core/http/answers.ts';
import { callOf } from '../../core/http/request-context.ts';
import { readBody, verifierFor } from '../../core/http/device.ts';
import type { Handler } from '../../core/http/lambda.ts';
import { parse } from '../../core/http/parse.ts';
import { retryContended } from '../../core/kernel/retry-on-conflict.ts';
import { decide, type DecideDeps } from '../../core/confirmations/answer-challenge.ts';

const request = v.object({ body: answerClaims });

export type Deps = DecideDeps & { calls: CallStore; baseUrl: string };

export function createHandler({ calls, baseUrl, ...deps }: Deps): Handler {
  const verify = verifierFor(baseUrl);

  return async (event) => {
    const call = callOf(event, Date.now());
    const { identity, message } = readBody(event, 'omi-response+jws');
    const { challengeId } = event.pathParameters ?? {};
    const named = v.is(sha256Text, challengeId) ? challengeId : undefined;
    const status = await retryContended(async () => {
      const { device: found, isSuspended, ...record } = await calls.load(identity, named, call.now);
      const device = await verify({ identity, message }, found, call.now);
      const { body: claims } = parse(request, { body: message.claims });
      const confirmation = isSuspended ? undefined : record.confirmation;
      return await decide(deps, { ...record, confirmation, device, claims, jws: message.jws, call });
    });
    return json(200, { status });
  };
}
