import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { readSecretText } from '../../../core/aws/secret-reader-client.ts';
import { credentials, startAws } from '../../bundling/run-handler.ts';

let aws: Awaited<ReturnType<typeof startAws>>;
beforeAll(async () => {
  aws = await startAws((_, response) => response.end(JSON.stringify({ SecretString: 'the text' })));
});
afterAll(async () => await aws.stop());

const nowhere = 'http://127.0.0.1:1';

test.each([
  ['AWS_ENDPOINT_URL', () => ({ AWS_ENDPOINT_URL: aws.url })],
  [
    'AWS_ENDPOINT_URL_SECRETS_MANAGER before the general one',
    () => ({ AWS_ENDPOINT_URL_SECRETS_MANAGER: aws.url, AWS_ENDPOINT_URL: nowhere }),
  ],
])('a secret is read where the SDKs would read it: %s', async (_, endpoints) => {
  const environment = { AWS_REGION: 'eu-central-1', ...credentials, ...endpoints() };
  expect(await readSecretText('secret', environment)).toBe('the text');
});
