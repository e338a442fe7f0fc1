import { jsonLambda } from '../../core/http/api-lambda.ts';
import { parseEnvironment } from '../../core/lambda/environment.ts';
import { configureDeps } from '../../core/lambda/signals-wiring.ts';
import { environment } from './definition.ts';
import { createHandler } from './handler.ts';

export const handler = jsonLambda(createHandler(configureDeps(parseEnvironment(environment, process.env))));
