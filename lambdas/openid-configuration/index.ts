import { bodilessLambda } from '../../core/http/api-lambda.ts';
import { parseEnvironment } from '../../core/lambda/environment.ts';
import { providerMetadata } from '../../core/openid/provider-metadata.ts';
import { cacheable, json } from '../../core/http/responses.ts';
import { environment } from './definition.ts';

const { BASE_URL } = parseEnvironment(environment, process.env);
const metadata = providerMetadata(BASE_URL);

/** OpenID Connect Discovery 1.0, section 4. The answer changes only with a deployment. */
export const handler = bodilessLambda(async () => await Promise.resolve(json(200, metadata, cacheable)));
