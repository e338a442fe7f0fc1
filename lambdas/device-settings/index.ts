import { relyingPartyOf } from '../../core/devices/passkeys/passkey.ts';
import { bodilessLambda } from '../../core/http/api-lambda.ts';
import { parseEnvironment } from '../../core/lambda/environment.ts';
import { cacheable, json } from '../../core/http/responses.ts';
import { environment } from './definition.ts';

const env = parseEnvironment(environment, process.env);
const settings = {
  webPush: { applicationServerKey: env.WEB_PUSH_PUBLIC_KEY },
  ...relyingPartyOf(env),
};

/** The settings change only with a deployment. */
export const handler = bodilessLambda(async () => await Promise.resolve(json(200, settings, cacheable)));
