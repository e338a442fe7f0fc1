import { bodilessLambda } from '../../core/http/api-lambda.ts';
import { problems } from '../../core/http/problems.ts';
import { cacheable } from '../../core/http/responses.ts';
import type { RefusalCode } from '../../core/kernel/refusal.ts';
import { problemPage, securityPolicy, unknownPage } from './page.ts';

const isCode = (code: string): code is RefusalCode => Object.hasOwn(problems, code);

const headers = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': securityPolicy,
  ...cacheable,
};

export const handler = bodilessLambda(async ({ pathParameters }) => {
  const { code = '' } = pathParameters ?? {};
  const answer = isCode(code)
    ? { statusCode: 200, body: problemPage(code) }
    : { statusCode: 404, body: unknownPage() };
  return await Promise.resolve({ ...answer, headers });
});
