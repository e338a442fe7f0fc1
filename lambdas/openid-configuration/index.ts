import { bodilessLambda } from '../../core/http/api-lambda.ts';
import { parseEnvironment } from '../../core/lambda/environment.ts';
import { providerMetadata } from '../../core/openid/provider-metadata.ts';
import { environment } from './definition.ts';
import { createHandler } from './handler.ts';

const { BASE_URL } = parseEnvironment(environment, process.env);

export const handler = bodilessLambda(createHandler(providerMetadata(BASE_URL)));
