import { bodilessLambda } from '../../core/http/api-lambda.ts';
import { problems } from '../../core/http/problems.ts';
import { cacheable } from '../../core/http/responses.ts';
import { expectedUserId } from '../../core/kernel/identifiers.ts';
import { invalidField, type RefusalCode } from '../../core/kernel/refusal.ts';
import { hasSlashInUserId } from '../routes.ts';
import { problemPage, securityPolicy, unknownPage } from './page.ts';

const isCode = (code: string): code is RefusalCode => Object.hasOwn(problems, code);

const headers = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': securityPolicy,
  ...cacheable,
};

/** As API Gateway answers a call that does not exist. */
const notFound = {
  statusCode: 404,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ message: 'Not Found' }),
};

/** The page of a code; or what is wrong with a user id that API Gateway takes for more than one part of a path. */
export const handler = bodilessLambda(async ({ pathParameters, rawPath, requestContext }) => {
  const { code = '', path } = pathParameters ?? {};
  if (path !== undefined) {
    if (!hasSlashInUserId(requestContext.http.method, rawPath)) return notFound;
    throw invalidField('#/path/userId', expectedUserId);
  }
  const answer = isCode(code)
    ? { statusCode: 200, body: problemPage(code) }
    : { statusCode: 404, body: unknownPage() };
  return await Promise.resolve({ ...answer, headers });
});
