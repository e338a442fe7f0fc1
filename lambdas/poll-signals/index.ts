import { jsonLambda } from '../../core/http/api-lambda.ts';
import { parseEnvironment } from '../../core/lambda/environment.ts';
import { polledStores } from '../../core/lambda/signals-wiring.ts';
import { environment } from './definition.ts';
import { createHandler } from './handler.ts';

export const handler = jsonLambda(createHandler(polledStores(parseEnvironment(environment, process.env))), {
  isOptional: true,
});
