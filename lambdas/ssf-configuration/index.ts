import { bodilessLambda } from '../../core/http/api-lambda.ts';
import { parseEnvironment } from '../../core/lambda/environment.ts';
import { transmitterMetadata } from '../../core/signals/transmitter-metadata.ts';
import { environment } from './definition.ts';
import { createHandler } from './handler.ts';

const { BASE_URL } = parseEnvironment(environment, process.env);

export const handler = bodilessLambda(createHandler(transmitterMetadata(BASE_URL)));
