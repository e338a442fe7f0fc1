import * as v from 'valibot';

const longestBytes = 512;

/** `https:shop.example.com` is an address for URL, but a link of a page to its own host: the slashes and the host are needed. */
export const isAbsoluteUrl = (text: string): boolean =>
  URL.canParse(text) && /^[a-z][a-z\d+.-]*:\/\/[^/?#]/.test(text);

/** A web address that an app offers to its user: https, and nothing in it that could hide the host. */
export const webUrl = () =>
  v.pipe(
    v.string('expected a string'),
    v.check(
      (text) => Buffer.byteLength(text) <= longestBytes,
      `expected at most ${longestBytes} bytes of UTF-8`,
    ),
    v.check((text) => isAbsoluteUrl(text) && !/[\s\\\p{C}]/u.test(text), 'expected an absolute URL'),
    v.check((text) => {
      if (!URL.canParse(text)) return true;
      const { username, password } = new URL(text);
      return username === '' && password === '' && !/^[^/?#]*\/\/[^/?#]*@/.test(text);
    }, 'expected a URL without user name and password'),
  );

export const httpsUrl = () =>
  v.pipe(
    webUrl(),
    v.check(
      (text) => !URL.canParse(text) || new URL(text).protocol === 'https:',
      'expected a URL that begins with https://',
    ),
  );
