import { beforeEach, expect, test } from '@jest/globals';
import { createRoutes, memoryStore, Omi } from '#website';

const tenantId = '6f0d3c1e-5a54-4c0e-9d0a-3b6f6c1f7a01';
const brandPath = `/omi/device/tenants/${tenantId}`;

let calls: string[];
let brand: Response | 'broken';
let now: number;

beforeEach(() => {
  calls = [];
  brand = Response.json({ name: 'Example Bank', color: '#ffd400' });
  now = Date.parse('2026-11-22T09:30:00.000Z');
});

/** The service, as far as these tests ask it. */
const service: typeof fetch = async (input) => {
  const { pathname } = new URL(input instanceof Request ? input.url : input);
  calls.push(pathname);
  if (pathname !== brandPath) return Response.json({ devices: [] });
  if (brand === 'broken') throw new TypeError('fetch failed');
  return await Promise.resolve(brand.clone());
};

const omiWith = (tenant?: string): Omi =>
  new Omi({
    ...{ baseUrl: 'https://omi.example', token: async () => await Promise.resolve('token') },
    ...{ fetch: service, now: () => now },
    ...(tenant !== undefined && { tenantId: tenant }),
  });

test('a brand is loaded once in 5 minutes', async () => {
  const omi = omiWith(tenantId);
  const expected = { name: 'Example Bank', color: '#ffd400' };
  expect([await omi.brand(), await omi.brand()]).toEqual([expected, expected]);
  expect(calls).toEqual([brandPath]);
  now += 5 * 60_000;
  await omi.brand();
  expect(calls).toEqual([brandPath, brandPath]);
});

test.each<[string, () => Response | 'broken']>([
  ['the service does not answer', () => 'broken'],
  ['the tenant is unknown', () => Response.json({ code: 'tenant-not-found' }, { status: 404 })],
  ['the answer is another one', () => Response.json({ color: '#ffd400' })],
])('there is no brand if %s, and it is asked for again', async (_, answer) => {
  brand = answer();
  const omi = omiWith(tenantId);
  expect(await omi.brand()).toBeUndefined();
  brand = Response.json({ name: 'Example Bank' });
  expect(await omi.brand()).toEqual({ name: 'Example Bank' });
});

test('there is none without the tenant id', async () => {
  expect(await omiWith().brand()).toBeUndefined();
  expect(calls).toEqual([]);
});

const devicesFor = async (answer?: () => Promise<unknown>): Promise<unknown> => {
  const errors: unknown[] = [];
  const omi = omiWith(tenantId);
  const routes = createRoutes(omi, {
    session: () => ({ id: 'session', userId: 'anna' }),
    message: () => 'Pay?',
    store: memoryStore(),
    onError: (error) => errors.push(error),
    ...(answer && { brand: answer as () => ReturnType<Omi['brand']> }),
  });
  const request = new Request('https://shop.example/omi/devices', { headers: { 'omi-page': '1' } });
  return { ...((await (await routes(request)).json()) as object), errors: errors.length };
};

test('the routes give the elements a colour that is seen, and one for the text on it', async () => {
  expect(await devicesFor(async () => await omiWith(tenantId).brand())).toEqual({
    ...{ devices: [], errors: 0 },
    brand: { accent: expect.stringMatching(/^#[\da-f]{6}$/), onAccent: '#000000' },
  });
});

test("a tenant without a colour has that of the users' app", async () => {
  const app = { name: 'Example Confirm', color: '#0a4d9c' };
  const colorsOf = async (brand: object) => await devicesFor(async () => await Promise.resolve(brand));
  const expected = await colorsOf({ name: 'Bank', color: app.color });
  expect(await colorsOf({ name: 'Bank', app })).toEqual(expected);
  expect(await colorsOf({ name: 'Bank', color: '#ffd400', app })).toEqual(
    await colorsOf({ name: 'Bank', color: '#ffd400' }),
  );
  expect(await colorsOf({ name: 'Bank', app: { name: app.name } })).not.toHaveProperty('brand');
});

test.each<[string, (() => Promise<unknown>) | undefined, number]>([
  ['is not asked for', undefined, 0],
  ['has no colour', async () => await Promise.resolve({ name: 'Bank' }), 0],
  ['has another kind of colour', async () => await Promise.resolve({ name: 'Bank', color: 'red}' }), 0],
  ['cannot be found', async () => await Promise.reject(new Error('No brand')), 1],
])('the elements have their own colours if the brand %s', async (_, answer, errors) => {
  expect(await devicesFor(answer)).toEqual({ devices: [], errors });
});
