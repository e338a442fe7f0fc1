import { describe, expect, test } from '@jest/globals';
import { type RequestOrigin, requestOriginOf } from '#website';
import { openChallenge } from '../../../contract/scenario.ts';
import { useSharedStack } from '../../../support/use-stack.ts';
import { signedIn } from './support/story.ts';
import type { TestWebsiteOptions } from './support/test-website.ts';

const firefox = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0';

describe('the origin of a request', () => {
  test.each([
    [firefox, 'Firefox on Windows'],
    [
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/149.0.0.0 Safari/537.36 Edg/149.0.0.0',
      'Edge on Windows',
    ],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_4 like Mac OS X) Version/18.4 Mobile/15E148 Safari/604.1',
      'Safari on iPhone',
    ],
    ['Mozilla/5.0 (Linux; Android 10; K) Chrome/149.0.0.0 Mobile Safari/537.36', 'Chrome on Android'],
    ['Firefox/140.0', 'Firefox'],
  ])('is, for %s, %s', (userAgent, browser) => {
    expect(requestOriginOf({ headers: new Headers({ 'user-agent': userAgent }) })).toEqual({ browser });
  });

  test.each(['', 'curl/8.14.1', 'node', '<script>alert(1)</script> Windows'])(
    'is unknown for %j',
    (userAgent) => {
      const headers = new Headers({ 'user-agent': userAgent, 'x-forwarded-for': '192.0.2.44' });
      expect(requestOriginOf({ headers })).toBeUndefined();
    },
  );
});

describe('a page that asks', () => {
  const stack = useSharedStack();
  const place = { place: 'Köln' };

  async function shownOrigin(options: TestWebsiteOptions, headers = {}): Promise<RequestOrigin | undefined> {
    const { visitor, phone } = await signedIn(stack, options);
    const { status } = await visitor.call('POST', '/omi/confirmations', { amount: '20' }, headers);
    expect(status).toBe(201);
    const { context } = await openChallenge(phone);
    return (JSON.parse(context) as { requestedFrom?: RequestOrigin }).requestedFrom;
  }

  test('has its browser shown on the device', async () => {
    expect(await shownOrigin({}, { 'user-agent': firefox })).toEqual({ browser: 'Firefox on Windows' });
  });

  test('has nothing shown if its program is unknown', async () => {
    expect(await shownOrigin({}, { 'user-agent': 'curl/8.14.1' })).toBeUndefined();
  });

  test("has the website's better knowledge shown", async () => {
    const requestedFrom: TestWebsiteOptions['requestedFrom'] = (request) => ({
      ...requestOriginOf(request),
      ...place,
    });
    const headers = { 'user-agent': firefox };
    expect(await shownOrigin({ requestedFrom }, headers)).toEqual({
      browser: 'Firefox on Windows',
      ...place,
    });
    expect(await shownOrigin({ requestedFrom: () => undefined }, headers)).toBeUndefined();
  });

  test('has its address shown although the framework adds a port, and no address that is none', async () => {
    const from = (ip: string): TestWebsiteOptions => ({ requestedFrom: () => ({ ip }) });
    expect(await shownOrigin(from('203.0.113.7:51324'))).toEqual({ ip: '203.0.113.7' });
    expect(await shownOrigin(from('unknown'))).toBeUndefined();
  });

  test('has the origin in the question shown before anything else', async () => {
    const message = () => ({ message: 'Pay 20 €?', requestedFrom: place });
    expect(await shownOrigin({ message }, { 'user-agent': firefox })).toEqual(place);
  });
});
