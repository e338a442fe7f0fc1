import { describe, expect, test } from '@jest/globals';
import { parseEnvironment } from '../../../core/lambda/environment.ts';
import { environment } from '../../../lambdas/provision-target/env.ts';

const given = {
  TENANTS_TABLE: 'tenants',
  PROVISIONING_QUEUE_URL: 'https://sqs.eu-central-1.amazonaws.com/123456789012/provisioning',
  DELIVERY_STREAM_PREFIX: 'omi-dev-',
};

describe('delivery streams are buffered', () => {
  test('for 300 s or 5 MiB, if nothing else is said', () => {
    expect(parseEnvironment(environment, given)).toMatchObject({
      DELIVERY_BUFFER_SECONDS: 300,
      DELIVERY_BUFFER_MEBIBYTES: 5,
    });
  });

  test.each([
    ['0', '1'],
    ['900', '128'],
  ])('as Firehose can: %s s, %s MiB', (DELIVERY_BUFFER_SECONDS, DELIVERY_BUFFER_MEBIBYTES) => {
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
  ])('and in no other way: %s %p', (name, value) => {
    expect(() => parseEnvironment(environment, { ...given, [name]: value })).toThrow(name);
  });
});

describe('the control plane of Firehose is called', () => {
  test('twice a second, if nothing else is said', () => {
    expect(parseEnvironment(environment, given)).toMatchObject({ DELIVERY_STREAM_CALL_INTERVAL: 500 });
  });

  test.each(['0', '999'])('as often as said: every %s ms', (DELIVERY_STREAM_CALL_INTERVAL) => {
    expect(parseEnvironment(environment, { ...given, DELIVERY_STREAM_CALL_INTERVAL })).toMatchObject({
      DELIVERY_STREAM_CALL_INTERVAL: Number(DELIVERY_STREAM_CALL_INTERVAL),
    });
  });

  test.each(['-1', '1000', ''])('and in no other way: %p', (DELIVERY_STREAM_CALL_INTERVAL) => {
    expect(() => parseEnvironment(environment, { ...given, DELIVERY_STREAM_CALL_INTERVAL })).toThrow(
      'DELIVERY_STREAM_CALL_INTERVAL',
    );
  });
});

test.each(['', 'omi dev', 'x'.repeat(22)])('a name cannot begin with %p', (DELIVERY_STREAM_PREFIX) => {
  expect(() => parseEnvironment(environment, { ...given, DELIVERY_STREAM_PREFIX })).toThrow(
    'DELIVERY_STREAM_PREFIX',
  );
});
