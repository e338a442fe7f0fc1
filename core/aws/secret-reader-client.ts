import http from 'node:http';
import https from 'node:https';
import { Sha256 } from '@smithy/core/checksum';
import { SignatureV4 } from '@smithy/signature-v4';

/** Milliseconds: a push waits for the secret. */
const timeLimitMs = 1_500;

/** A Lambda's environment. */
function settingsOf(environment: NodeJS.ProcessEnv) {
  const { AWS_REGION: region = '' } = environment;
  // In the order of AWS's SDKs.
  const endpoint = environment['AWS_ENDPOINT_URL_SECRETS_MANAGER'] ?? environment['AWS_ENDPOINT_URL'];
  const suffix = region.startsWith('cn-') ? '.com.cn' : '.com';
  const { AWS_ACCESS_KEY_ID = '', AWS_SECRET_ACCESS_KEY = '', AWS_SESSION_TOKEN } = environment;
  return {
    region,
    url: new URL(endpoint ?? `https://secretsmanager.${region}.amazonaws${suffix}`),
    credentials: {
      accessKeyId: AWS_ACCESS_KEY_ID,
      secretAccessKey: AWS_SECRET_ACCESS_KEY,
      ...(AWS_SESSION_TOKEN !== undefined && { sessionToken: AWS_SESSION_TOKEN }),
    },
  };
}

async function send(url: URL, headers: Record<string, string>, body: string): Promise<string> {
  const { request } = url.protocol === 'https:' ? https : http;
  const options = {
    method: 'POST',
    headers,
    agent: false as const,
    signal: AbortSignal.timeout(timeLimitMs),
  };
  const response = await new Promise<http.IncomingMessage>((resolve, reject) => {
    request(url, options, resolve).on('error', reject).end(body);
  });
  const chunks: Buffer[] = [];
  for await (const chunk of response as AsyncIterable<Buffer>) chunks.push(chunk);
  if (response.statusCode === 200) return Buffer.concat(chunks).toString();
  throw Object.assign(new Error('Secrets Manager did not answer with the secret.'), {
    name: 'SecretUnavailable',
    code: String(response.statusCode),
  });
}

/**
 * Reads the text of a secret with one signed call. The SDK's client of Secrets Manager would make the bundles of the Lambdas
 * that push 14 KB larger, for this one operation.
 */
export async function readSecretText(
  secretId: string,
  environment: NodeJS.ProcessEnv = process.env,
): Promise<string> {
  const { region, url, credentials } = settingsOf(environment);
  const signer = new SignatureV4({ service: 'secretsmanager', region, credentials, sha256: Sha256 });
  const body = JSON.stringify({ SecretId: secretId });
  const { headers } = await signer.sign({
    method: 'POST',
    protocol: url.protocol,
    hostname: url.hostname,
    path: '/',
    headers: {
      host: url.host,
      'content-type': 'application/x-amz-json-1.1',
      'x-amz-target': 'secretsmanager.GetSecretValue',
    },
    body,
  });
  const { SecretString } = JSON.parse(await send(url, headers, body)) as { SecretString?: unknown };
  if (typeof SecretString === 'string') return SecretString;
  throw new Error('The secret must hold text.');
}
