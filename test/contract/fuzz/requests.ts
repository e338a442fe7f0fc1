import fc from 'fast-check';
import { routes } from '../../../lambdas/routes.ts';
import { cuts, mutations } from './mutations.ts';
import { anyCharacter } from '../../support/any-character.ts';

/** Mostly the first. */
const rarely = <Usual, Other>(usual: fc.Arbitrary<Usual>, other: fc.Arbitrary<Other>) =>
  fc.oneof({ weight: 6, arbitrary: usual }, { weight: 1, arbitrary: other });

/** Any text that a request line can hold. */
const raw = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        '%',
        '%2F',
        '%00',
        '%3F',
        '%ED%A0%80',
        '%FF',
        '%25',
        '/',
        '?',
        '&',
        '=',
        '..',
        ';',
        '+',
        '~',
      ),
      fc.constantFrom('a', 'nonce', 'userId', 'x'.repeat(200), '[', '|', '"', '<', '\\', '^', '`'),
      fc
        .string({ unit: anyCharacter, maxLength: 8 })
        .filter((text) => text.isWellFormed())
        .map(encodeURIComponent),
    ),
    { maxLength: 8 },
  )
  .map((parts) => parts.join(''));

/** What a field of a header can hold (RFC 9110, 5.5), as Node takes it. */
const headerText = fc
  .array(
    fc.oneof(fc.constant(9), fc.integer({ min: 0x20, max: 0x7e }), fc.integer({ min: 0x80, max: 0xff })),
    {
      maxLength: 40,
    },
  )
  .map((codes) => String.fromCharCode(...codes).trim());

const strangeAuthorization = fc.oneof(
  fc.constantFrom(
    '',
    'Bearer',
    'Bearer ',
    'Bearer a.b.c',
    'OMI-Device',
    'OMI-Device a.b.c',
    'Basic YTpi',
    '..',
  ),
  headerText,
  headerText.map((text) => `Bearer ${text}`),
  headerText.map((text) => `OMI-Device ${text}`),
);

const contentType = fc.oneof(
  fc.constantFrom(
    'application/json',
    'application/jose',
    'application/json; charset=utf-8',
    'APPLICATION/JSON',
  ),
  fc.constantFrom(
    '',
    'text/plain',
    'application/json,application/jose',
    'application/',
    ';',
    'multipart/form-data',
  ),
  headerText,
);

const strangeHeaders = fc.dictionary(
  fc.constantFrom(
    'x-forwarded-for',
    'x-amzn-trace-id',
    'cookie',
    'accept',
    'content-encoding',
    'user-agent',
    'x-tenant-id',
    'traceparent',
    'forwarded',
    'x-http-method-override',
  ),
  headerText,
  { maxKeys: 3 },
);

/** More than HTTP API takes, and less than the local server itself refuses. */
const tooLarge = fc.constant({ 'x-large': 'v'.repeat(10_000) });

const signer = rarely(fc.constant('own'), fc.constantFrom('other', 'none', 'secret'));

/** What is changed in a call that is right otherwise; the call itself is made when it is sent. */
const call = fc.record({
  route: fc.constantFrom(...routes),
  method: rarely(fc.constant(undefined), fc.constantFrom('GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS')),
  /** In place of the path's parameters, one after the other. */
  parameters: fc.array(rarely(fc.constant(undefined), raw), { minLength: 2, maxLength: 2 }),
  path: rarely(fc.constant(''), raw),
  query: rarely(fc.constant(undefined), raw),
  authorization: rarely(fc.constant(undefined), strangeAuthorization),
  contentType: rarely(fc.constant(undefined), contentType),
  headers: rarely(
    fc.constant({}),
    fc.oneof({ weight: 9, arbitrary: strangeHeaders }, { weight: 1, arbitrary: tooLarge }),
  ),
  /** Of the JSON body, or of the claims. */
  body: mutations,
  /** Of the JWS's header. */
  header: rarely(fc.constant([]), mutations),
  signer,
  cuts,
  rawBody: rarely(
    fc.constant(undefined),
    fc.oneof(
      fc.string({ unit: anyCharacter, maxLength: 60 }).map((text) => Buffer.from(text)),
      fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes)),
      fc.constantFrom('[', '{"a":').map((text) => Buffer.from(text.repeat(9_000))),
      fc.constantFrom(70_000, 200_000).map((length) => Buffer.alloc(length, ' ')),
    ),
  ),
});

export type FuzzedCall = typeof call extends fc.Arbitrary<infer Call> ? Call : never;

/** Sent at once. */
export const volley = fc.array(call, { minLength: 10, maxLength: 10 });
