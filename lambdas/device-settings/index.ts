import { relyingPartyOf } from '../../core/devices/passkeys/passkey.ts';
import { bodilessLambda } from '../../core/http/api-lambda.ts';
import { parseEnvironment } from '../../core/lambda/environment.ts';
import { environment } from './definition.ts';
import { createHandler } from './handler.ts';

const env = parseEnvironment(environment, process.env);

export const handler = bodilessLambda(
  createHandler({
    webPush: { applicationServerKey: env.WEB_PUSH_PUBLIC_KEY },
    ...relyingPartyOf(env),
  }),
);
