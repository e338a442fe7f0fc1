import { describe, expect, test } from '@jest/globals';
import { parseEnvironment } from '../../../core/lambda/environment.ts';
import { environment } from '../../../lambdas/provision-target/definition.ts';

const given = {
  TENANTS_TABLE: 'tenants',
  PROVISIONING_QUEUE_URL: 'https://sqs.eu-central-1.amazonaws.com/123456789012/provisioning',
  DELIVERY_STREAM_PREFIX: 'omi-dev-',
};

describe('the buffering of delivery streams', () => {
  test('is 300 s or 5 MiB by default', () => {
    expect(parseEnvironment(environment, given)).toMatchObject({
      DELIVERY_BUFFER_SECONDS: 300,
      DELIVERY_BUFFER_MEBIBYTES: 5,
    });
  });

  test.each([
    ['0', '1'],
    ['900', '128'],
  ])('may be what Firehose allows: %s s, %s MiB', (DELIVERY_BUFFER_SECONDS, DELIVERY_BUFFER_MEBIBYTES) => {
    const env = { ...given, DELIVERY_BUFFER_SECONDS, DELIVERY_BUFFER_MEBIBYTES };
    expect(parseEnvironment(environment, env)).toMatchObject({
      DELIVERY_BUFFER_SECONDS: Number(DELIVERY_BUFFER_SECONDS),
      DELIVERY_BUFFER_MEBIBYTES: Number(DELIVERY_BUFFER_MEBIBYTES),
    });
  });

  test.each([
    ['DELIVERY_BUFFER_SECONDS', '901'],
    ['DELIVERY_BUFFER_SECONDS', '-1'],
    ['DELIVERY_BUFFER_SECONDS', ''],
    ['DELIVERY_BUFFER_MEBIBYTES', '0'],
    ['DELIVERY_BUFFER_MEBIBYTES', '129'],
  ])('may not be anything else: %s %p', (name, value) => {
    expect(() => parseEnvironment(environment, { ...given, [name]: value })).toThrow(name);
  });
});

describe('the pause between calls to the control plane of Firehose', () => {
  test('is half a second by default', () => {
    expect(parseEnvironment(environment, given)).toMatchObject({ DELIVERY_STREAM_CALL_INTERVAL: 500 });
  });

  test.each(['0', '999'])('may be %s ms', (DELIVERY_STREAM_CALL_INTERVAL) => {
    expect(parseEnvironment(environment, { ...given, DELIVERY_STREAM_CALL_INTERVAL })).toMatchObject({
      DELIVERY_STREAM_CALL_INTERVAL: Number(DELIVERY_STREAM_CALL_INTERVAL),
    });
  });

  test.each(['-1', '1000', ''])('may not be %p', (DELIVERY_STREAM_CALL_INTERVAL) => {
    expect(() => parseEnvironment(environment, { ...given, DELIVERY_STREAM_CALL_INTERVAL })).toThrow(
      'DELIVERY_STREAM_CALL_INTERVAL',
    );
  });
});

test.each(['', 'omi dev', 'x'.repeat(22)])('the prefix of names cannot be %p', (DELIVERY_STREAM_PREFIX) => {
  expect(() => parseEnvironment(environment, { ...given, DELIVERY_STREAM_PREFIX })).toThrow(
    'DELIVERY_STREAM_PREFIX',
  );
});
