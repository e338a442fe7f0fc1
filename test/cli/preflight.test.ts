/** `omi preflight` in an account that has never had a stage, with AWS's answers over the wire. */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';

type Account = {
  bootstrapVersion: Record<string, number>;
  concurrency: number;
  deployments: number;
  hasPush: boolean;
  distributions: { host: string; alias: string }[];
  apiDomains: string[];
};

const fresh: Account = {
  bootstrapVersion: { 'eu-central-1': 30, 'us-east-1': 30 },
  concurrency: 1_000,
  deployments: 1_300,
  hasPush: true,
  distributions: [{ host: 'd111111abcdef8.cloudfront.net', alias: 'www.example.com' }],
  apiDomains: [],
};
let account: Account;

type Reply = { status?: number; body: string };
const xml = (operation: string, result: string): Reply => ({
  body: `<${operation}Response><${operation}Result>${result}</${operation}Result></${operation}Response>`,
});
const fault = (code: string, message: string): Reply => ({
  status: 400,
  body: `<ErrorResponse><Error><Type>Sender</Type><Code>${code}</Code><Message>${message}</Message></Error></ErrorResponse>`,
});

/** The region of a request, by its signature. */
const regionOf = ({ headers }: IncomingMessage): string =>
  /Credential=[^/]+\/\d+\/([^/]+)\//.exec(headers.authorization ?? '')?.[1] ?? '';

const distribution = ({ host, alias }: Account['distributions'][number]): string =>
  `<DistributionSummary><DomainName>${host}</DomainName><Aliases><Quantity>1</Quantity><Items><CNAME>${alias}</CNAME></Items></Aliases></DistributionSummary>`;

const forms: Record<string, (request: IncomingMessage) => Reply> = {
  GetCallerIdentity: () => xml('GetCallerIdentity', '<Account>111122223333</Account>'),
  DescribeStacks: (request) => {
    const version = account.bootstrapVersion[regionOf(request)];
    if (version === undefined) return fault('ValidationError', 'Stack with id CDKToolkit does not exist');
    const output = `<OutputKey>BootstrapVersion</OutputKey><OutputValue>${version}</OutputValue>`;
    return xml(
      'DescribeStacks',
      `<Stacks><member><Outputs><member>${output}</member></Outputs></member></Stacks>`,
    );
  },
  ListPlatformApplications: () =>
    account.hasPush
      ? xml('ListPlatformApplications', '<PlatformApplications/>')
      : fault('InvalidAction', 'Operation (ListPlatformApplications) is not supported in this region'),
};

/** Anything but a call that only reads would be unknown here. */
async function answer(request: IncomingMessage): Promise<Reply> {
  const { url = '', method } = request;
  if (method === 'GET' && url.includes('/account-settings'))
    return { body: JSON.stringify({ AccountLimit: { ConcurrentExecutions: account.concurrency } }) };
  if (method === 'GET' && url.includes('/distribution')) {
    const { distributions } = account;
    return {
      body: `<DistributionList><IsTruncated>false</IsTruncated><Quantity>${distributions.length}</Quantity><Items>${distributions.map(distribution).join('')}</Items></DistributionList>`,
    };
  }
  if (method === 'GET' && url.startsWith('/v2/domainnames/')) {
    const DomainName = decodeURIComponent(url.slice('/v2/domainnames/'.length));
    if (account.apiDomains.includes(DomainName)) return { body: JSON.stringify({ domainName: DomainName }) };
    return { status: 404, body: JSON.stringify({ message: 'Invalid domain name identifier specified' }) };
  }
  if (request.headers['x-amz-target']?.toString().endsWith('.ListServiceQuotas') === true) {
    const quota = { QuotaName: 'Concurrent deployments per account', Value: account.deployments };
    return { body: JSON.stringify({ Quotas: [quota] }) };
  }
  const action = new URLSearchParams(await text(request)).get('Action') ?? '';
  return forms[action]?.(request) ?? fault('InvalidAction', `${method} ${url} ${action}`);
}

let server: Server;
let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'omi-preflight-'));
  server = createServer((request, response) => {
    void answer(request).then(({ status = 200, body }) => {
      const name = status === 404 ? { 'x-amzn-errortype': 'NotFoundException' } : {};
      response.writeHead(status, name).end(body);
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
});
afterAll(async () => {
  server.close();
  await rm(directory, { recursive: true });
});
beforeEach(() => {
  account = { ...fresh };
});

type Finding = { check: string; subject: string; ok: boolean; warning?: true; detail: string; fix?: string };

async function preflight(settings: object = {}, ...args: string[]) {
  await writeFile(
    join(directory, 'cdk.json'),
    JSON.stringify({ context: { stages: { production: settings } } }),
  );
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const env = {
    ...{ PATH: process.env['PATH'], HOME: directory, AWS_REGION: 'eu-central-1', AWS_ENDPOINT_URL: url },
    ...{ AWS_ACCESS_KEY_ID: 'OPERATOR', AWS_SECRET_ACCESS_KEY: 'test' },
  };
  const command = [resolve('bin/omi.mjs'), 'preflight', '--stage', 'production', '--json', ...args];
  const { code, stdout, stderr } = await promisify(execFile)(process.execPath, command, {
    cwd: directory,
    env,
  })
    .then((said) => ({ ...said, code: 0 }))
    .catch((error: unknown) => error as { code: number; stdout: string; stderr: string });
  const { findings = [] } = (stdout === '' ? {} : JSON.parse(stdout)) as { findings?: Finding[] };
  return {
    code,
    err: stderr,
    findings,
    of: (check: string) => findings.filter((one) => one.check === check),
  };
}

const failed = ({ findings }: { findings: readonly Finding[] }): [string, string][] =>
  findings.filter(({ ok }) => !ok).map(({ check, subject }) => [check, subject]);

describe('an account that can take the stage', () => {
  test('passes, and is named with its region', async () => {
    const { code, findings, of } = await preflight();
    expect({ code, failed: failed({ findings }) }).toEqual({ code: 0, failed: [] });
    expect(of('account')).toMatchObject([
      { subject: '111122223333', detail: 'cdk deploys to it, in eu-central-1' },
    ]);
    expect(findings.map(({ check }) => check)).toEqual([
      ...['account', 'bootstrap', 'lambda', 'codedeploy', 'push', 'cloudfront', 'domains', 'domains'],
    ]);
  });
});

describe('a new account', () => {
  test('without a distribution gets a warning with the text of the support case', async () => {
    account.distributions = [];
    const { code, of } = await preflight();
    expect(code).toBe(0);
    expect(of('cloudfront')).toMatchObject([{ ok: true, warning: true }]);
    expect(of('cloudfront')[0]?.fix).toContain('Subject: Verify account 111122223333 for CloudFront');
  });

  test('fails for each limit that is too low, with the way to raise it', async () => {
    account = { ...account, concurrency: 10, deployments: 10 };
    const { code, err, findings } = await preflight();
    expect(code).toBe(1);
    expect(failed({ findings })).toEqual([
      ['lambda', 'concurrent executions'],
      ['codedeploy', 'concurrent deployments'],
    ]);
    for (const { fix } of findings.filter(({ ok }) => !ok)) expect(fix).toContain('Service Quotas');
    expect(err).toContain('2 of 8 checks failed.');
  });

  test.each([[undefined], [5]])(
    'fails without the bootstrap that the CDK needs (version %p)',
    async (version) => {
      account.bootstrapVersion = version === undefined ? {} : { 'eu-central-1': version };
      const { code, of } = await preflight();
      expect(code).toBe(1);
      expect(of('bootstrap')).toMatchObject([
        { ok: false, fix: 'Run: npx cdk bootstrap aws://111122223333/eu-central-1' },
      ]);
    },
  );
});

describe('a region without mobile push', () => {
  test.each([
    ['fails a stage with a native platform', { push: { fcm: { secretName: 'omi/fcm' } } }, 1],
    ['is a warning for a stage with web devices alone', {}, 0],
  ])('%s', async (_, settings, exit) => {
    account.hasPush = false;
    const { code, of } = await preflight(settings);
    expect(code).toBe(exit);
    expect(of('push')).toMatchObject([{ ok: exit === 0, fix: expect.stringContaining('sns-mobile-push') }]);
  });
});

const certificate = (region: string, owner = '111122223333'): string =>
  `arn:aws:acm:${region}:${owner}:certificate/6f0d3c1e-5a54-4c0e-9d0a-3b6f6c1f7a01`;

describe('names and certificates', () => {
  const api = (certificateArn: string) => ({ api: { domain: { name: 'api.example.com', certificateArn } } });

  test.each([
    ['of another region', certificate('us-east-1'), 'Request it in eu-central-1'],
    ['of another account', certificate('eu-central-1', '999988887777'), 'Request one in 111122223333'],
  ])('fail for a certificate %s', async (_, arn, fix) => {
    const { code, of } = await preflight(api(arn));
    expect(code).toBe(1);
    expect(of('certificates')).toMatchObject([{ ok: false, fix: expect.stringContaining(fix) }]);
  });

  test('fail if an API or a distribution has the name', async () => {
    account.apiDomains = ['api.example.com'];
    const domain = { name: 'www.example.com', certificateArn: certificate('us-east-1') };
    const result = await preflight({ ...api(certificate('eu-central-1')), webApp: { domain } });
    expect(failed(result)).toEqual([
      ['domains', 'api.example.com'],
      ['domains', 'www.example.com'],
    ]);
  });
});

describe('a stage that names its account and region', () => {
  test('fails in another account', async () => {
    const result = await preflight({ env: { account: '999988887777' } });
    expect(result.code).toBe(1);
    expect(result.of('account')).toMatchObject([
      { ok: false, detail: 'the stage belongs to the account 999988887777' },
    ]);
  });
});

describe('what cannot be checked', () => {
  test.each([
    ['settings that are wrong', { env: { account: '1' } }, [], /env\.account: expected the 12 digits/],
    ['the local stack', {}, ['--local'], /The local stack needs none/],
  ])('is reported: %s', async (_, settings, args, words) => {
    const { code, err } = await preflight(settings, ...args);
    expect(code).toBeGreaterThan(0);
    expect(err).toMatch(words);
  });
});
