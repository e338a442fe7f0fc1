import { beforeAll, expect, test } from '@jest/globals';
import * as v from 'valibot';
import type { SimulatedDevice } from '../../../tools/client/device/simulated-device.ts';
import { messageHashOf as hashOf } from '../../../tools/client/digests.ts';
import type { TestStack } from '../../support/stack.ts';
import { expectFaults, expectFaultsOf, expectProblem, succeeded } from '../expectations.ts';
import { enrolDevice, notification, poll, push, pushesTo, tryPush } from '../scenario.ts';

const payment = { type: 'payment', amount: '16.00', currency: 'EUR', to: { name: 'Café Zoë ☕' } };

const valid: [string, string][] = [
  ['of any type', '[{"type":"https://example.org/any 😀"}]'],
  ['several', '[{"type":"a"},{"type":"a"}]'],
  ['with values of every kind', '[{"type":"t","a":[null,true,-1.5e-7,"",{}],"":0}]'],
  ['with five levels', '[{"type":"t","a":[[[]]]}]'],
  ['with 4,096 bytes', JSON.stringify([{ type: 't', a: 'x'.repeat(4096 - 21) }])],
  ['with names of Object.prototype', '[{"type":"t","toString":1,"constructor":"x"}]'],
  ['with white space between the tokens', '[ { "type" : "t" ,\n"a" : [ 1 ] } ]'],
  ['with numbers in other spellings', '[{"type":"t","a":[1.50,1E2,-0.0]}]'],
];

/** Every text is a member's value in the body of a request. */
const invalid: [string, string, string][] = [
  ['null', 'null', ''],
  ['an object', '{"type":"t"}', ''],
  ['a list as a string', JSON.stringify('[{"type":"t"}]'), ''],
  ['an empty list', '[]', ''],
  ['a list of strings', '["t"]', '/0'],
  ['without a type', '[{"type":"t"},{}]', '/1/type'],
  ['with a number as type', '[{"type":1}]', '/0/type'],
  ['with an empty type', '[{"type":""}]', '/0/type'],
  ['with six levels', '[{"type":"t","a":[[[[]]]]}]', ''],
  ['with 4,097 bytes', JSON.stringify([{ type: 't', a: 'x'.repeat(4097 - 21) }]), ''],
  ['with 4,097 bytes in fewer characters', JSON.stringify([{ type: 't', a: 'é'.repeat(2038) }]), ''],
  ['with a line break', String.raw`[{"type":"t","a":["b","c\n"]}]`, '/0/a/1'],
  ['with a bidirectional override in a name', String.raw`[{"type":"t","\u202e/":1}]`, '/0/\u202e~1'],
  ['with a lone surrogate', String.raw`[{"type":"t","a":"\ud800"}]`, '/0/a'],
  ['with a duplicate member', '[{"type":"t","amount":"1","amount":"2"}]', '/0/amount'],
  ['with a duplicate member in escaped form', String.raw`[{"type":"t","a":{"b":1,"\u0062":1}}]`, '/0/a/b'],
  ['with a number that a double would change', '[{"type":"t","amount":12345678901234567890}]', '/0/amount'],
  ['with a number beyond the range of a double', '[{"type":"t","amount":1e999}]', '/0/amount'],
];

export function authorizationDetails(stack: TestStack): void {
  let device: SimulatedDevice;
  beforeAll(async () => {
    device = await enrolDevice(stack.website);
  });

  const send = async (to: SimulatedDevice, details: string, more: object = {}, path = 'device') => {
    const body = JSON.stringify({ ...notification(), ...more }).replace(
      /\}$/,
      `,"authorizationDetails":${details}}`,
    );
    const user = `/omi/push/user/${to.identity.userId}`;
    return await stack.website.call(
      {
        method: 'POST',
        path: path === 'device' ? `${user}/device/${to.identity.deviceId}` : user,
        headers: { 'content-type': 'application/json' },
        body,
      },
      v.looseObject({ nonce: v.string(), detailsHash: v.string() }),
    );
  };

  test.each(valid)('may be %s', async (_, details) => {
    const { nonce, detailsHash } = succeeded(await send(await enrolDevice(stack.website), details), 202);
    expect(detailsHash).toBe(hashOf(JSON.stringify(JSON.parse(details))));
    expect((await poll(stack.website, nonce)).detailsHash).toBe(detailsHash);
  });

  test.each(invalid)('may not be %s', async (_, details, pointer) => {
    const at = `/authorizationDetails${pointer}`;
    expectFaultsOf('invalid_authorization_details', await send(device, details), at);
    expectFaultsOf('invalid_authorization_details', await send(device, details, {}, 'user'), at);
  });

  test('are rejected with __proto__ or prototype', async () => {
    for (const [name, member] of [
      ['__proto__', '{}'],
      ['constructor', '{"prototype":1}'],
    ] as const) {
      const refused = await send(device, `[{"type":"t","${name}":${member}}]`);
      expectFaultsOf('invalid_authorization_details', refused, `/authorizationDetails/0/${name}`);
    }
  });

  test('are reported together with other faults of the request', async () => {
    const refused = await send(device, '[{}]', { message: '', expiresIn: 1 });
    expectFaults(refused, '/message', '/expiresIn', '/authorizationDetails/0/type');
  });

  test('list only the first hundred of many faults', async () => {
    const many = JSON.stringify(Array.from({ length: 500 }, () => 1));
    const refused = await send(device, many);
    const { errors, detail } = expectProblem(refused, 400, 'invalid_authorization_details', {
      errors: expect.anything(),
    });
    expect(errors).toHaveLength(100);
    expect(detail).toContain('400 more are not');
  });

  test('send no push and are not echoed if rejected', async () => {
    expect(await pushesTo(stack, device.description.pushToken)).toEqual([]);
    const { text } = await send(device, '[{"iban":"DE02 1203 0000"}]');
    expect(text).not.toContain('DE02');
  });

  test('are neither in the push nor in later answers to the website', async () => {
    const phone = await enrolDevice(stack.website);
    const { nonce } = await push(stack.website, phone, { authorizationDetails: [payment] });
    const pushes = JSON.stringify(await pushesTo(stack, phone.description.pushToken));
    expect(pushes).toContain('12.50');
    for (const told of [pushes, JSON.stringify(await poll(stack.website, nonce))])
      expect(told).not.toContain('Zoë');
  });

  test('may be spaced differently in a repetition, but others cause 409', async () => {
    const phone = await enrolDevice(stack.website);
    const sent = notification({ authorizationDetails: [payment] });
    const first = succeeded(await tryPush(stack.website, phone, sent), 202);
    const again = await send(phone, JSON.stringify([payment], null, 2), { nonce: sent.nonce });
    expect(succeeded(again, 202)).toEqual({ ...first, repeated: true });
    const { type, ...members } = payment;
    for (const authorizationDetails of [
      [{ ...payment, amount: '16.01' }],
      [payment, payment],
      [{ ...members, type }],
      undefined,
    ]) {
      const { nonce } = sent;
      const other = authorizationDetails ? { nonce, authorizationDetails } : { nonce };
      expectProblem(await tryPush(stack.website, phone, other), 409, 'nonce-already-used');
    }
    const plain = await enrolDevice(stack.website);
    const { nonce } = await push(stack.website, plain);
    const added = await tryPush(stack.website, plain, { nonce, authorizationDetails: [payment] });
    expectProblem(added, 409, 'nonce-already-used');
  });

  test('are rejected together with any body that has a duplicate member', async () => {
    const path = `/omi/push/user/${device.identity.userId}`;
    const { message, nonce } = notification();
    const body = `{"message":${JSON.stringify(message)},"nonce":"${nonce}","message":"Pay 9000 €?"}`;
    const headers = { 'content-type': 'application/json' };
    const refused = await stack.website.call({ method: 'POST', path, headers, body }, v.unknown());
    expectFaults(refused, '/message');
  });
}
