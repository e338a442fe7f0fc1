/** Why operations refuse calls with a problem document, as the OpenAPI document says it. */
import type { RefusalCode } from '../../../core/kernel/refusal.ts';
import { routes, type RouteLambda } from '../../../lambdas/routes.ts';
import {
  openApiDocument,
  operationIdOf,
  operations,
  responseAt,
  type DocumentedResponse,
} from './document.ts';

/** A response has an example of each code, and a line of its description that says what it means. */
function meaningsIn({ description = '', content }: DocumentedResponse): [RefusalCode, string][] {
  const codes = Object.keys(content?.['application/problem+json']?.examples ?? {}) as RefusalCode[];
  return codes.map((code) => {
    const start = `- \`${code}\`: `;
    const line = description.split('\n').find((one) => one.startsWith(start)) ?? '';
    return [code, line.slice(start.length)];
  });
}

const meaningsOf = (lambda: RouteLambda): [RefusalCode, string][] =>
  Object.values(operations.get(operationIdOf(lambda))?.responses ?? {})
    .map(responseAt)
    .flatMap(meaningsIn);

const meanings = Object.fromEntries(
  routes.map(({ lambda }) => [lambda, new Map(meaningsOf(lambda))]),
) as Record<RouteLambda, Map<RefusalCode, string>>;

/** Every reason for which an operation may refuse a call. OAuth clients get errors of OAuth. */
export const refusals = Object.fromEntries(
  Object.entries(meanings).map(([lambda, its]) => [lambda, [...its.keys()]]),
) as Record<RouteLambda, RefusalCode[]>;

/** What the refusal means for the caller of the operation, and what to do. */
export const meaningOf = (code: RefusalCode, lambda: RouteLambda): string => meanings[lambda].get(code) ?? '';

/** What a response that operations have in common says; one of a single operation ends in the name of its Lambda. */
const commonMeanings = new Map(
  Object.entries(openApiDocument.components.responses)
    .filter(([name]) => !routes.some(({ lambda }) => name.endsWith(`.${lambda}`)))
    .flatMap(([, response]) => meaningsIn(response)),
);

export const hasOwnMeaning = (code: RefusalCode, lambda: RouteLambda): boolean =>
  ![undefined, meaningOf(code, lambda)].includes(commonMeanings.get(code));
