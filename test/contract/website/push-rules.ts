import { beforeAll, expect, test } from '@jest/globals';
import * as v from 'valibot';
import type { SimulatedDevice } from '../../../tools/client/device/simulated-device.ts';
import type { TestStack } from '../../support/stack.ts';
import { expectFaults, expectProblem, retryAfterOf, succeeded } from '../expectations.ts';
import { enrolDevice, newNonce, newUser, notification, pushesTo } from '../scenario.ts';

const point = (code: number) => String.fromCodePoint(code);
const hex = (code: number) => code.toString(16).padStart(4, '0');

const controls = [0x00, 0x07, 0x09, 0x0a, 0x0d, 0x1b, 0x1f, 0x80, 0x85, 0x9f];
const separators = [0x2028, 0x2029];
const bidirectional = [
  ...[0x61c, 0x200e, 0x200f, 0x202a, 0x202b, 0x202c, 0x202d, 0x202e, 0x2066, 0x2067, 0x2068, 0x2069],
];
const invisible = [
  ...[0xad, 0x34f, 0x115f, 0x17b4, 0x180e, 0x200b, 0x200c, 0x200d, 0x2060, 0x2065, 0x206a, 0x2800, 0x3164],
  ...[0xfe0f, 0xfeff, 0xffa0, 0xfff0, 0xfff9, 0xfffb, 0xfffd, 0x1d173, 0xe0001, 0xe0041, 0xe0100],
];
/** Next to what is refused, or like it, and allowed. */
const allowed = [0x20, 0x7e, 0xa0, 0xae, 0x61b, 0x200a, 0x2010, 0x2027, 0x202f, 0x2801, 0xfffc, 0x1f4b3];

const accepted = {
  'one code point': 'x',
  '256 code points': 'x'.repeat(256),
  '256 code points of 4 bytes each': '💳'.repeat(256),
  'a single symbol': '€',
  'one letter between spaces': '  a  ',
  'text with joiners and selectors': 'می\u200cخواهم क्\u200dष 👨\u200d👩\u200d👧 1\ufe0f\u20e3 葛\u{e0100}',
};
const refused = {
  'that is empty': '',
  'of spaces only': ' \u00a0 ',
  'of marks and joiners only': '\u0301\u200d\ufeff',
  '257 code points': 'x'.repeat(257),
  '257 code points of 4 bytes each': '💳'.repeat(257),
  'with reordered digits': 'Pay \u200f1\u200f0\u200f0\u200f,\u200f9',
  'a lone high surrogate': 'a\ud83d',
  'a lone low surrogate': '\ude00b',
  'surrogates in the wrong order': '\ude00\ud83d',
  'a number': 12,
  null: null,
  'a list': ['x'],
};

export function pushRules(stack: TestStack): void {
  let device: SimulatedDevice;
  beforeAll(async () => {
    device = await enrolDevice(stack.website);
  });

  const send = async (to: SimulatedDevice, body: unknown) => {
    const path = `/omi/push/user/${to.identity.userId}/device/${to.identity.deviceId}`;
    return await stack.website.call({ method: 'POST', path, json: body }, v.unknown());
  };
  const sendMessage = async (message: unknown) => await send(device, { ...notification(), message });
  const accept = async (body: unknown) => succeeded(await send(await enrolDevice(stack.website), body), 202);

  test.each(Object.entries(accepted))('allow the message %s', async (_, message) => {
    await accept(notification({ message }));
  });

  test.each(Object.entries(refused))('reject the message %s', async (_, message) => {
    expectFaults(await sendMessage(message), '/message');
  });

  test.each(controls.map(hex))('reject the control character U+%s', async (code) => {
    expectFaults(await sendMessage(`a${point(parseInt(code, 16))}b`), '/message');
  });

  test.each(separators.map(hex))('reject the separator U+%s', async (code) => {
    expectFaults(await sendMessage(`a${point(parseInt(code, 16))}b`), '/message');
  });

  test.each(bidirectional.map(hex))('reject the bidirectional control U+%s', async (code) => {
    expectFaults(await sendMessage(`a${point(parseInt(code, 16))}b`), '/message');
  });

  test.each(invisible.map(hex))('reject the invisible character U+%s', async (code) => {
    expectFaults(await sendMessage(`a${point(parseInt(code, 16))}b`), '/message');
  });

  test('allow the characters next to the rejected ones', async () => {
    await accept(notification({ message: `a${allowed.map(point).join('')}b` }));
  });

  test.each(['x'.repeat(16), 'x'.repeat(128), 'AZaz09._~-AZaz09', '~~~~~~~~........'])(
    'allow the nonce %s',
    async (nonce) => {
      await accept(notification({ nonce }));
    },
  );

  const badNonces = [
    '',
    'x'.repeat(15),
    'x'.repeat(129),
    `${newNonce()}!`,
    `${newNonce()} `,
    `${newNonce()}\n`,
  ];
  test.each([...badNonces, `${newNonce()}ä`, `${newNonce()}/`, `${newNonce()}=`, 42, null])(
    'reject the nonce %j',
    async (nonce) => {
      expectFaults(await send(device, { ...notification(), nonce }), '/nonce');
    },
  );

  test.each([29, 601, 0, -30, 30.5, '60', null, true])('reject the lifetime %j', async (expiresIn) => {
    expectFaults(await send(device, { ...notification(), expiresIn }), '/expiresIn');
  });

  test.each(['add', 'Add-device', '', null, 1, ['add-device']])('reject the purpose %j', async (purpose) => {
    expectFaults(await send(device, { ...notification(), purpose }), '/purpose');
  });

  test('send no push for a rejected request', async () => {
    expect(await pushesTo(stack, device.description.pushToken)).toEqual([]);
  });

  test('reject a user without a device', async () => {
    const answer = await stack.website.sendToUser(newUser(), notification());
    expectProblem(answer, 404, 'device-not-found');
  });

  test('require a device of the user', async () => {
    const { deviceId } = device.identity;
    const answer = await stack.website.sendToDevice(newUser(), deviceId, notification());
    expectProblem(answer, 404, 'device-not-found');
  });

  test('allow one open confirmation on a device', async () => {
    const busy = await enrolDevice(stack.website);
    const first = await send(busy, notification());
    succeeded(first, 202);
    const refused = await send(busy, notification({ expiresIn: 600 }));
    expectProblem(refused, 409, 'confirmation-pending');
    // What is left of the two minutes of the first one.
    expect(retryAfterOf(refused)).toBeLessThanOrEqual(120);
    expect(retryAfterOf(refused)).toBeGreaterThan(60);
    expect(await pushesTo(stack, busy.description.pushToken)).toHaveLength(1);
  });

  test('accept one of many parallel pushes to a device', async () => {
    const busy = await enrolDevice(stack.website);
    const answers = await Promise.all([1, 2, 3, 4].map(async () => await send(busy, notification())));
    expect(answers.map(({ status }) => status).sort()).toEqual([202, 409, 409, 409]);
    for (const answer of answers) if (!answer.ok) expectProblem(answer, 409, 'confirmation-pending');
    expect(await pushesTo(stack, busy.description.pushToken)).toHaveLength(1);
  });

  test('leave another device of the user free meanwhile', async () => {
    const userId = newUser();
    for (const phone of [await enrolDevice(stack.website, userId), await enrolDevice(stack.website, userId)])
      succeeded(await send(phone, notification()), 202);
  });
}
