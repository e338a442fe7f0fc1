/** `omi env`: what a shell gets to know about the local stack. The README's test uses it on a running one. */
import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { omi } from './omi.ts';
import { localTables } from '../../tools/local/resources/tables.ts';

let folder: string;
beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), 'omi-env-'))));
afterAll(async () => await rm(folder, { recursive: true }));

/** A process id that Linux and macOS never give. */
const noProcess = 2 ** 30;

const described = {
  baseUrl: 'http://127.0.0.1:8080',
  appUrl: 'http://localhost:8081',
  exportsUrl: 'http://localhost:8094',
  tokenUrl: 'http://127.0.0.1:9090/token',
  issuer: 'http://127.0.0.1:9090',
  tenants: [
    { tenantId: '6f0d3c1e-5a54-4c0e-9d0a-3b6f6c1f7a01', clientId: 'demo', clientSecret: 'secret' },
    { tenantId: '0c6b0f57-9f8c-4a1c-8d5e-2b7f6f0f8e02', clientId: 'neighbour', clientSecret: 'other' },
  ],
  aws: { region: 'eu-central-1', endpoints: { s3: 'http://127.0.0.1:1', sts: 'http://127.0.0.1:2' } },
  tables: localTables,
  pid: process.pid,
};

/** A folder in which a local stack described itself. */
async function stateFolder(name: string, content: object = described): Promise<NodeJS.ProcessEnv> {
  const path = join(folder, name);
  await mkdir(path);
  await writeFile(join(path, 'stack.json'), JSON.stringify(content));
  return { OMI_STATE: path };
}

const website = {
  OMI_BASE_URL: 'http://127.0.0.1:8080',
  OMI_TOKEN_URL: 'http://127.0.0.1:9090/token',
  OMI_TENANT_ID: '6f0d3c1e-5a54-4c0e-9d0a-3b6f6c1f7a01',
  OMI_CLIENT_ID: 'demo',
  OMI_CLIENT_SECRET: 'secret',
  OMI_APP_URL: 'http://localhost:8081',
  OMI_EXPORTS_URL: 'http://localhost:8094',
};

const aws = {
  AWS_REGION: 'eu-central-1',
  AWS_DEFAULT_REGION: 'eu-central-1',
  AWS_ACCESS_KEY_ID: 'local',
  AWS_SECRET_ACCESS_KEY: 'local',
  AWS_ENDPOINT_URL_S3: 'http://127.0.0.1:1',
  AWS_ENDPOINT_URL_STS: 'http://127.0.0.1:2',
  AWS_ENDPOINT_URL_IAM: 'http://127.0.0.1:2',
};

/** What a POSIX shell has in its environment after it evaluated these lines. */
function environmentAfter(lines: string): NodeJS.ProcessEnv {
  const print = `"${process.execPath}" -p 'JSON.stringify(process.env)'`;
  const { stdout, stderr } = spawnSync('sh', ['-c', `eval "$LINES_TO_EVALUATE"; ${print}`], {
    encoding: 'utf8',
    env: { LINES_TO_EVALUATE: lines },
  });
  expect(stderr).toBe('');
  return JSON.parse(stdout) as NodeJS.ProcessEnv;
}

describe('omi env', () => {
  test('prints what a website needs, one variable on a line', async () => {
    const environment = await stateFolder('lines');
    const { code, out, err } = await omi(['env'], { environment });
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out.split('\n').filter((line) => !/^(export OMI_[A-Z_]+='.*')?$/.test(line))).toEqual([]);
    expect(environmentAfter(out)).toMatchObject(website);
    expect(out).not.toContain('AWS_');
  });

  test('adds what AWS tools need with --aws', async () => {
    const { out } = await omi(['env', '--aws'], { environment: await stateFolder('aws') });
    expect(environmentAfter(out)).toMatchObject({ ...website, ...aws });
  });

  test('quotes values so that the shell runs none of them', async () => {
    const clientSecret = `it's $HOME \`id\` $(id) "quoted" \\ ; id\nexport OMI_BASE_URL=elsewhere`;
    const [tenant] = described.tenants;
    const environment = await stateFolder('odd', { ...described, tenants: [{ ...tenant, clientSecret }] });
    const { out } = await omi(['env'], { environment });
    expect(environmentAfter(out)).toMatchObject({ ...website, OMI_CLIENT_SECRET: clientSecret });
  });

  test('prints nothing to evaluate without a running stack, and says how to start one', async () => {
    const { code, out, err } = await omi(['env'], { environment: { OMI_STATE: join(folder, 'none') } });
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toContain('No local stack is running');
    expect(err).toContain('npm start');
  });

  test('does not treat the file of a killed stack as a running one', async () => {
    const environment = await stateFolder('killed', { ...described, pid: noProcess });
    const { code, out, err } = await omi(['env'], { environment });
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toContain(`process ${noProcess}`);
    expect(err).toContain('npm start');
  });
});
