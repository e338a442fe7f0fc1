import { bodilessLambda } from '../../core/http/api-lambda.ts';
import { parseEnvironment } from '../../core/lambda/environment.ts';
import { transmitterMetadata } from '../../core/signals/transmitter-metadata.ts';
import { cacheable, json } from '../../core/http/responses.ts';
import { environment } from './definition.ts';

const { BASE_URL } = parseEnvironment(environment, process.env);
const metadata = transmitterMetadata(BASE_URL);

/** OpenID Shared Signals Framework 1.0, section 7.2. The answer changes only with a deployment. */
export const handler = bodilessLambda(async () => await Promise.resolve(json(200, metadata, cacheable)));
