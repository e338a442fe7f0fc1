import { describe, expect, test } from '@jest/globals';
import { parseEnvironment } from '../../../core/lambda/environment.ts';
import { environment } from '../../../lambdas/redeliver-events/definition.ts';

const given = {
  TENANTS_TABLE: 'tenants',
  ATTEMPTS_TABLE: 'attempts',
  SIGNALS_TABLE: 'signals',
  SIGNAL_KEY_IDS: 'alias/omi-test-signals',
  BASE_URL: 'https://omi.example.com',
  SECRETS_KEY_ID: 'alias/omi-test-secrets',
  PARKING_QUEUE_URL: 'https://sqs.eu-central-1.amazonaws.com/123456789012/parking.fifo',
  VERIFICATIONS_QUEUE_URL: 'https://sqs.eu-central-1.amazonaws.com/123456789012/verifications',
  UNDELIVERABLE_QUEUE_URL: 'https://sqs.eu-central-1.amazonaws.com/123456789012/undeliverable',
};

describe('parked events are retried', () => {
  test('after 1 s at first and 45 s at most by default', () => {
    expect(parseEnvironment(environment, given)).toMatchObject({
      REDELIVERY_SHORTEST_WAIT: 1,
      REDELIVERY_LONGEST_WAIT: 45,
    });
  });

  test('after 15 s at most where people wait for it', () => {
    const local = { ...given, REDELIVERY_LONGEST_WAIT: '15' };
    expect(parseEnvironment(environment, local).REDELIVERY_LONGEST_WAIT).toBe(15);
  });

  test.each(['0', '43201', '1.5', 'soon', ''])('never after %p seconds', (wait) => {
    expect(() => parseEnvironment(environment, { ...given, REDELIVERY_LONGEST_WAIT: wait })).toThrow(
      'REDELIVERY_LONGEST_WAIT',
    );
  });
});
