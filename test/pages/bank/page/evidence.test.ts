import { describe, expect, test } from '@jest/globals';
import { verifyEvidence } from '#website';
import { answerMessage, commonClaims, thumbprintOf, WebCryptoKey } from '#device';
import { checksOf, type Asked } from '../../../../pages/bank/page/evidence/checks.js';
import { claimRows, headerRows } from '../../../../pages/bank/page/evidence/claims.js';
import { EvidenceCollector } from '../../../../pages/bank/page/evidence/collect.js';
import { base64url, decode, hashOf } from '../../../../pages/bank/page/evidence/decode.js';
import { changeOneCharacter, otherMessage } from '../../../../pages/bank/page/evidence/tamper.js';

const message = 'Pay 20.00 € to Café Zoë?';
const details = [{ type: 'payment', amount: '20.00' }];
const identity = { deviceId: 'device', tenantId: 'tenant', userId: 'user' };
const baseUrl = 'https://omi.example';
const nonce = 'a-nonce-of-this-test';
const context = '{"userVerification":"off"}';

const part = (value: object): string => base64url(new TextEncoder().encode(JSON.stringify(value)));

async function sign(key: WebCryptoKey, header: object, claims: object): Promise<string> {
  const input = `${part({ alg: 'ES256', ...header })}.${part(claims)}`;
  return `${input}.${base64url(await key.sign(new TextEncoder().encode(input)))}`;
}

/** As a device makes it: by the package of devices, with a real key. */
async function evidenceOf({
  decision = 'confirm',
  withDetails = false,
}: { decision?: 'confirm' | 'deny'; withDetails?: boolean } = {}) {
  const key = await WebCryptoKey.generate();
  const challenge = {
    challengeId: await hashOf(`tenant\n${nonce}`),
    messageHash: await hashOf(message),
    contextHash: await hashOf(context),
    ...(withDetails && { detailsHash: await hashOf(JSON.stringify(details)) }),
  };
  const answer = decision === 'confirm' ? { decision } : ({ decision, reason: 'not_me' } as const);
  const { typ, claims } = answerMessage(challenge, answer);
  const jkt = await thumbprintOf(key.publicKey);
  const common = commonClaims(baseUrl, jkt, Date.now(), identity);
  const jws = await sign(key, { typ, kid: 'device' }, { ...common, ...claims });
  const status = decision === 'confirm' ? ('confirmed' as const) : ('denied' as const);
  const asked: Asked = {
    ...{ ...identity, nonce, message, context, baseUrl, status, deviceKey: key.publicKey },
    ...(withDetails && { details }),
  };
  return { jws, asked, jkt, challengeId: challenge.challengeId };
}

/** The service's receipt of the enrolment, with the key that it publishes. */
async function receiptFor(jkt: string) {
  const service = await WebCryptoKey.generate();
  const { userId: sub, tenantId: tid, deviceId } = identity;
  const iat = Math.floor(Date.now() / 1000);
  const claims = { iss: baseUrl, iat, sub, tid, deviceId, jkt, platform: 'web', by: 'first', client: 'bank' };
  const receipt = await sign(service, { typ: 'omi-receipt+jwt', kid: 'key' }, claims);
  const published = { ...service.publicKey, kid: 'key', for: 'receipt', from: '2026-01-01T00:00:00Z' };
  return { receipt, keys: { keys: [published] } };
}

const failedOf = async (jws: string, asked: Asked): Promise<string[]> =>
  (await checksOf(jws, asked)).filter(({ passed }) => !passed).map(({ name }) => name);

describe('the checks of the evidence', () => {
  test.each([
    ['a confirmation', {}, 10],
    ['a denial', { decision: 'deny' as const }, 10],
    ['details', { withDetails: true }, 11],
  ])('all pass for %s', async (_, options, count) => {
    const { jws, asked } = await evidenceOf(options);
    const checks = await checksOf(jws, asked);
    expect(checks).toHaveLength(count);
    expect(await failedOf(jws, asked)).toEqual([]);
  });

  const signature = 'The signature is the phone’s';

  test.each<[string, Partial<Asked>, string]>([
    ['message', { message: 'Pay 2000.00 € to Café Zoë?' }, 'It is about exactly these words'],
    ['nonce', { nonce: 'another-nonce-of-this-test' }, 'It answers this question'],
    ['user', { userId: 'other' }, 'It is this user’s'],
    ['device', { deviceId: 'other' }, 'It comes from the phone that was asked'],
    ['service', { baseUrl: 'https://other.example' }, 'It is for this bank'],
    ['decision', { status: 'denied' }, 'The user decided: deny'],
    ['details', { details: [{ type: 'other' }] }, 'It has exactly these details'],
    ['context', { context: '{}' }, 'It includes what else the phone showed'],
  ])('fail in one check for another %s', async (_, changed, name) => {
    const { jws, asked } = await evidenceOf({ withDetails: true });
    expect(await failedOf(jws, { ...asked, ...changed })).toEqual([name]);
  });

  test('fail in the signature for another key', async () => {
    const [{ jws, asked }, other] = [await evidenceOf(), await evidenceOf()];
    expect(await failedOf(jws, { ...asked, deviceKey: other.asked.deviceKey })).toEqual([
      signature,
      'It names the phone’s key',
    ]);
  });

  test.each(['header', 'claims', 'signature'] as const)(
    'fail in the signature, as in the package for websites, for one changed character of the %s',
    async (part) => {
      const { jws, asked, jkt } = await evidenceOf();
      const { receipt, keys } = await receiptFor(jkt);
      const { jws: changed, change } = changeOneCharacter(jws, part);
      expect(changed).toHaveLength(jws.length);
      expect(changed.split('').filter((character, index) => character !== jws[index])).toEqual([change.to]);
      expect(await failedOf(changed, asked)).toContain(signature);
      const verify = async (evidence: string) =>
        await verifyEvidence({ ...asked, evidence, receipt }, { ...asked, keys });
      await expect(verify(jws)).resolves.toMatchObject({ decision: 'confirm' });
      await expect(verify(changed)).rejects.toThrow();
    },
  );
});

describe('the explanation of the evidence', () => {
  test('has a meaning for every member of header and claims', async () => {
    const { jws } = await evidenceOf({ decision: 'deny', withDetails: true });
    const { header, claims } = decode(jws) ?? { header: {}, claims: {} };
    const rows = [...headerRows(header), ...claimRows(claims)];
    expect(rows.map(({ name }) => name)).toEqual(
      expect.arrayContaining([
        'alg',
        'typ',
        'kid',
        'iat',
        'jti',
        'messageHash',
        'detailsHash',
        'decision',
        'reason',
      ]),
    );
    expect(rows.filter(({ meaning }) => meaning === '')).toEqual([]);
  });

  test('does not guess what cannot be read', () => {
    expect(decode('no JWS')).toBeUndefined();
    expect(decode('W10.W10.W10')).toBeUndefined();
  });

  test('offers the message of a dishonest bank that asks for more', () => {
    expect(otherMessage(message)).toBe('Pay 2000.00 € to Café Zoë?');
    expect(otherMessage('Change your address?')).toBe('Change your address, and everything else?');
  });
});

describe('evidence in the calls', () => {
  const post = (challengeId: string) => ({
    ...{ at: '2026-11-22T09:30:00.000Z', method: 'POST', path: '/omi/push/user/user', status: 202, ms: 9 },
    request: { message, authorizationDetails: details },
    answer: { challengeId, status: 'pending' },
  });
  const poll = (answer: object) => ({
    ...{ at: '2026-11-22T09:30:09.000Z', method: 'GET', path: '/omi/push/confirmation', status: 200, ms: 5 },
    answer,
  });

  test('is found once, with what was asked', async () => {
    const { jws, asked, challengeId } = await evidenceOf({ withDetails: true });
    const collector = new EvidenceCollector();
    const { deviceKey, status, tenantId, userId, deviceId } = asked;
    const decided = poll({
      ...{ challengeId, nonce, tenantId, userId, deviceId, status, deviceKey, context },
      ...{ evidence: jws, decidedAt: '2026-11-22T09:30:08.000Z' },
    });
    expect(collector.take(decided, baseUrl)).toBeUndefined();
    expect(collector.take(post(challengeId), baseUrl)).toBeUndefined();
    expect(collector.take(poll({ challengeId, status: 'pending' }), baseUrl)).toBeUndefined();
    const found = collector.take(decided, baseUrl);
    expect(found).toMatchObject({ challengeId, jws, asked });
    expect(collector.take(decided, baseUrl)).toBeUndefined();
    expect(await failedOf(jws, found?.asked ?? asked)).toEqual([]);
  });

  test.each([[undefined], ['text'], [[]], [{ devices: [] }], [{ challengeId: 'x', status: 'expired' }]])(
    'is not found in %j',
    (answer) => {
      const collector = new EvidenceCollector();
      collector.take(post('x'), baseUrl);
      expect(collector.take({ ...poll({}), answer }, baseUrl)).toBeUndefined();
    },
  );
});
