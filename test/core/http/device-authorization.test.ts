/** Requests without a body carry their signature in a header. */
import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { signCompact } from '../../../client/device/jws.ts';
import { newKeyPair } from '../../../client/device/simulated-device.ts';
import type { ApiEvent } from '../../../core/http/api-event.ts';
import { readAuthorization } from '../../../core/http/device-authorization.ts';

const identity = { tenantId: randomUUID(), userId: 'alice', deviceId: randomUUID() };
const jws = signCompact({
  header: { typ: 'omi-request+jws', kid: identity.deviceId },
  claims: {
    aud: 'https://api.example.com',
    iat: 1_777_636_800,
    jti: randomUUID(),
    iss: identity.deviceId,
    tid: identity.tenantId,
    sub: identity.userId,
  },
  key: newKeyPair().privateKey,
});

const read = (authorization?: string) =>
  readAuthorization({ headers: authorization === undefined ? {} : { authorization } } as ApiEvent);

describe('the header Authorization', () => {
  test.each(['OMI-Device ', 'omi-device ', 'OMI-DEVICE   '])('may begin with "%s"', (scheme) => {
    expect(read(`${scheme}${jws}`)).toMatchObject({ identity });
  });

  test.each([
    ['is absent', undefined],
    ['is empty', ''],
    ['has another scheme', `Bearer ${jws}`],
    ['has a scheme with the same end', `X-OMI-Device ${jws}`],
    ['has another scheme before', `Bearer OMI-Device ${jws}`],
    ['has no JWS', 'OMI-Device '],
    ['has no space', `OMI-Device${jws}`],
    ['has text after the JWS', `OMI-Device ${jws} more`],
  ])('is refused if it %s', (_, authorization) => {
    expect(() => read(authorization)).toThrow(
      expect.objectContaining({
        code: 'invalid-signature',
        message: 'Expected the header Authorization: OMI-Device <JWS>.',
      }),
    );
  });
});
