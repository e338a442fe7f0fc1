import { afterAll, beforeAll } from '@jest/globals';
import { expectAnswer, expectHeaders, operationAt } from './openapi.ts';

const parse = async (response: Response): Promise<unknown> => {
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.includes('json');
  if (text === '') return undefined;
  return isJson ? JSON.parse(text) : text;
};

async function check(
  baseUrl: string,
  input: Parameters<typeof fetch>[0],
  method: string,
  response: Response,
) {
  const url = new URL(input instanceof Request ? input.url : input);
  const operation = url.href.startsWith(`${baseUrl}/`) ? operationAt(method, url.pathname) : undefined;
  if (!operation) return;
  expectHeaders(operation, response.status, response.headers);
  expectAnswer(operation, response.status, await parse(response));
}

/**
 * Compares every response that the tests of a file get from the API with the OpenAPI document, and fails at the end with
 * the undocumented ones.
 */
export function documentAnswers(baseUrl: () => string): void {
  const { fetch } = globalThis;
  const faults: string[] = [];

  beforeAll(() => {
    globalThis.fetch = async (input, init) => {
      const response = await fetch(input, init);
      await check(baseUrl(), input, init?.method ?? 'GET', response.clone()).catch((error: unknown) =>
        faults.push(String(error)),
      );
      return response;
    };
  });

  afterAll(() => {
    globalThis.fetch = fetch;
    if (faults.length > 0) throw new Error(faults.slice(0, 5).join('\n\n'));
  });
}
