/** `omi` for Python, against the running service: what a shop in Python does with it. */
import { cp, mkdtemp, readdir, rm } from 'node:fs/promises';
import { execFile } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { bodyOf } from '../../../client/http.ts';
import type { SimulatedDevice } from '../../../client/device/simulated-device.ts';
import { eventually } from '../../support/waiting.ts';
import { demoClient } from '../../contract/ciba/oauth-client.ts';
import { enrolDevice, newNonce, newUser, openChallenge } from '../../contract/scenario.ts';
import { hasPython, runWithExamples } from '../../docs/tenants/programs.ts';
import { environmentOf } from '../../docs/website-examples/example-project.ts';
import { useSharedStack } from '../../support/use-stack.ts';

const stack = useSharedStack();
const its = hasPython ? test : test.skip;

type Outcome<Result> = { result?: Result; error?: string; code?: string; text?: string };
type Answered = { status: string; reason?: string; votes: { status: string }[]; proved: string[] };

async function shop<Result = Answered>(task: string, given: object): Promise<Outcome<Result>> {
  const printed = await runWithExamples('test/packages/python/shop.py', JSON.stringify({ task, ...given }));
  return JSON.parse(printed) as Outcome<Result>;
}

const service = (changes: object = {}) => {
  const { baseUrl, tokenUrl, tenants } = stack.file;
  const { tenantId, clientId, clientSecret } = tenants[0];
  return { baseUrl, tokenUrl, tenantId, clientId, clientSecret, ...changes };
};

const answer = async (phone: SimulatedDevice, decision: 'confirm' | 'deny' = 'confirm'): Promise<void> => {
  const ask = async () => {
    const found = await phone.challenges();
    return found.ok ? found.body.challenges[0] : undefined;
  };
  const challenge = await eventually('The challenge', ask);
  bodyOf(decision === 'confirm' ? await phone.confirm(challenge) : await phone.deny(challenge));
};

describe('omi for Python', () => {
  its.each([
    ['confirm', 'confirmed', undefined],
    ['deny', 'denied', 'user_declined'],
  ] as const)('asks, waits and verifies the answer: %s', async (decision, status, reason) => {
    const phone = await enrolDevice(stack.website);
    const { userId } = phone.identity;
    const asked = {
      ...{ user_id: userId, message: 'Pay 12.50 € to Café Zoë?', expires_in: 60 },
      details: [{ type: 'payment', amount: '12.50', big: 1e21, small: 0.5 }],
      requested_from: { browser: 'Firefox', place: 'Köln' },
    };
    const [outcome] = await Promise.all([
      shop('confirm', { service: service(), asked }),
      answer(phone, decision),
    ]);
    expect(outcome).toMatchObject({ result: { status, userId, ...(reason && { reason }) } });
  });

  its('asks a group, and proves the votes', async () => {
    const phones = [
      await enrolDevice(stack.website),
      await enrolDevice(stack.website),
      await enrolDevice(stack.website),
    ];
    const members = phones.map(({ identity }) => identity.userId);
    const asked = { members, required: 2, message: 'Pay 25,000 €?', nonce: newNonce() };
    const voting = phones.slice(0, 2).map(async (phone) => await answer(phone));
    const [outcome] = await Promise.all([shop('confirm_group', { service: service(), asked }), ...voting]);
    const { result } = outcome;
    expect([result?.status, ...(result?.votes ?? []).map(({ status }) => status)]).toEqual([
      'approved',
      'confirmed',
      'confirmed',
      'cancelled',
    ]);
    expect(result?.proved.toSorted()).toEqual(members.slice(0, 2).toSorted());
  });

  its('raises what the service, the token URL and the options refuse', async () => {
    const strange = ['confirm', '../devices', 'Pay?'];
    const calls = [['devices', newUser()], ['confirm', newUser(), 'Pay?'], ['poll', newNonce()], strange];
    const { result } = await shop<Outcome<unknown>[]>('calls', { service: service(), calls });
    expect(result).toMatchObject([
      { result: [] },
      { error: 'OmiError', code: 'device-not-found' },
      { code: 'confirmation-not-found' },
      { code: 'invalid-request' },
    ]);
    const refused = async (changes: object) =>
      await shop<Outcome<unknown>[]>('calls', { service: service(changes), calls: [['devices', 'anna']] });
    expect((await refused({ clientSecret: 'wrong' })).result).toMatchObject([{ code: 'token-refused' }]);
    expect(await refused({ clientSecret: '' })).toMatchObject({ code: 'invalid-options' });
    expect(await refused({ baseUrl: 'http://omi.example.org' })).toMatchObject({ code: 'invalid-options' });
  });

  its('takes its options from the environment, and names the variable that is missing', async () => {
    const variables = environmentOf(stack);
    expect(await shop('environment', { variables })).toEqual({ result: stack.file.baseUrl });
    for (const name of Object.keys(variables))
      expect(await shop('environment', { variables: { ...variables, [name]: '' } })).toEqual({
        error: 'OmiError',
        code: 'invalid-options',
        text: `invalid-options: ${name} is not set.`,
      });
  });

  its('verifies callbacks as Standard Webhooks signs them, and refuses all others', async () => {
    const secret = `whsec_${Buffer.from('a secret of 32 bytes for the test').toString('base64')}`;
    const { tenantId } = service();
    const data = { tenantId, status: 'confirmed', challengeId: 'c' };
    const call = (body: object, { at = new Date(), by = secret } = {}) => {
      const text = JSON.stringify(body);
      const stamp = String(Math.floor(at.getTime() / 1000));
      const headers = { 'Webhook-Id': 'id', 'webhook-timestamp': stamp };
      return {
        headers: { ...headers, 'webhook-signature': new Webhook(by).sign('id', at, text) },
        body: text,
      };
    };
    const good = call({ type: 'confirmation.confirmed', timestamp: '', data });
    const other = `whsec_${Buffer.from('another secret').toString('base64')}`;
    const received = [
      { ...good, options: { tenant_id: tenantId } },
      call({ type: 'group.approved', timestamp: '', data: { status: 'approved', votes: [data] } }),
      { ...good, body: `${good.body} ` },
      { ...good, options: { tenant_id: newUser() } },
      call({ type: 'confirmation.confirmed', timestamp: '', data }, { by: other }),
      call({ type: 'confirmation.confirmed', timestamp: '', data }, { at: new Date(Date.now() - 400_000) }),
      call({ type: 'confirmation.denied', timestamp: '', data }),
      call({ type: 'confirmation.pending', timestamp: '', data: { ...data, status: 'pending' } }),
    ];
    const { result = [] } = await shop<Outcome<unknown>[]>('callbacks', {
      received,
      secrets: [other.slice(6), secret],
    });
    // Both secrets count while they are rotated.
    const codes = result.map(({ code }) => code);
    expect(codes).toEqual([
      ...[undefined, undefined, 'invalid-callback', 'invalid-callback', undefined],
      ...['invalid-callback', 'invalid-callback', 'invalid-callback'],
    ]);
    expect(result[0]?.result).toMatchObject({ type: 'confirmation.confirmed', data });
  });

  its('verifies ID tokens with their evidence', async () => {
    const phone = await enrolDevice(stack.website);
    const client = demoClient(stack);
    const message = 'Sign the contract?';
    const details = ' [{"type":"contract", "pages":10.0}] ';
    const { auth_req_id: id } = await client.start(phone.identity.userId, {
      binding_message: message,
      authorization_details: details,
    });
    bodyOf(await phone.confirm(await openChallenge(phone)));
    const { id_token: token } = (await client.poll(id)).body as { id_token: string };
    const { baseUrl } = service();
    const { clientId } = client;
    const keys = (await (await fetch(`${baseUrl}/.well-known/omi-keys`)).json()) as object;
    const asked = { keys, base_url: baseUrl, client_id: clientId, auth_req_id: id, message, details };
    const changes = [
      {},
      { auth_req_id: newNonce() },
      { client_id: 'another' },
      { base_url: 'https://omi.example.org' },
      { now: Date.now() / 1000 + 3_600 },
      { keys: { keys: [] } },
      { message: 'Sign another?' },
      { details: '[{"type":"contract","pages":10.0}]' },
    ];
    const { result = [] } = await shop<Outcome<unknown>[]>('id_tokens', { token, asked, changes });
    expect(result[0]?.result).toMatchObject({ sub: phone.identity.userId, aud: clientId });
    expect(result.slice(1).map(({ code }) => code)).toEqual([
      ...Array.from({ length: 5 }, () => 'invalid-id-token'),
      'messageHash',
      'detailsHash',
    ]);
  });

  its('is built with all of its modules and its types', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'omi-python-'));
    try {
      // From a copy, because building writes beside the source.
      const cwd = join(folder, 'source');
      await cp('packages/python', cwd, { recursive: true });
      const build = `from setuptools.build_meta import build_sdist; print(build_sdist(${JSON.stringify(folder)}))`;
      const { stdout } = await promisify(execFile)('python3', ['-c', build], { cwd });
      const archive = join(folder, stdout.trim().split('\n').at(-1) ?? '');
      const { stdout: listed } = await promisify(execFile)('tar', ['-tzf', archive]);
      const names = listed.split('\n').flatMap((name) => /^[^/]+\/omi\/(.+)$/.exec(name)?.[1] ?? []);
      const modules = (await readdir('packages/python/omi')).filter((name) => !name.startsWith('__pycache'));
      expect(names.toSorted()).toEqual(modules.toSorted());
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
