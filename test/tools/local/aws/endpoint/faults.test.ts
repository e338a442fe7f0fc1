import { describe, expect, test } from '@jest/globals';
import { createFaults, type FaultableCall } from '../../../../../tools/local/aws/endpoint/faults.ts';

const publish: FaultableCall = {
  service: 'sns',
  operation: 'Publish',
  resources: ['arn:aws:sns:eu-central-1:000000000000:endpoint/GCM/omi/e1'],
};
const put: FaultableCall = { service: 'dynamodb', operation: 'PutItem', resources: ['events'] };
const batch: FaultableCall = {
  service: 'kinesis',
  operation: 'PutRecords',
  resources: ['stream'],
  entries: 6,
};

describe('a fault', () => {
  test.each([
    ['events', 'events'],
    ['events', 'events/index/byAcceptance'],
    ['arn:aws:dynamodb:eu-central-1:000000000000:table/events', 'events'],
    ['tenant-role', 'arn:aws:iam::111122223333:role/tenant-role'],
    ['bucket', 'bucket/2026/01/object'],
    ['arn:aws:s3:::bucket', 'bucket/2026/01/object'],
    ['http://127.0.0.1:4566/000000000000/queue.fifo', 'queue.fifo'],
    ['e1', 'arn:aws:sns:eu-central-1:000000000000:endpoint/GCM/omi/e1'],
  ])('applies to the resource with the name %s: %s', (resource, known) => {
    const faults = createFaults();
    faults.add({ service: 'dynamodb', resource, fault: 'throttle' });
    expect(faults.match({ ...put, resources: ['other'] })).toBeUndefined();
    expect(faults.match({ ...put, resources: ['other', known] })).toBeDefined();
  });

  test('applies as often as its number of hits', () => {
    const faults = createFaults();
    const { id } = faults.add({ service: 'sns', fault: 'throttle', times: 2 });
    expect([1, 2, 3].map(() => faults.match(publish) !== undefined)).toEqual([true, true, false]);
    expect(faults.list()).toEqual([]);
    expect(faults.remove(id)).toBe(true);
  });

  test('applies to exactly its share of the calls, evenly and including the first', () => {
    const faults = createFaults();
    faults.add({ service: 'sns', fault: 'throttle', ratio: 0.25 });
    const struck = Array.from({ length: 400 }, () => faults.match(publish) !== undefined);
    expect(struck.slice(0, 5)).toEqual([true, false, false, false, true]);
    expect(struck.filter(Boolean)).toHaveLength(100);
  });

  test('applies to exactly its share of the entries of batches, and only to batches', () => {
    const faults = createFaults();
    faults.add({ service: 'kinesis', fault: 'partial', ratio: 0.5 });
    expect(faults.match(batch)?.failing).toEqual(new Set([0, 2, 4]));
    expect(faults.match({ ...batch, operation: 'PutRecord', entries: 0 })).toBeUndefined();
  });

  test.each([
    ['disabled', { ...publish, operation: 'GetEndpointAttributes' }, publish],
    ['conflict', { ...put, operation: 'Query' }, put],
  ] as const)('applies only where it can happen: %s', (fault, elsewhere, here) => {
    const faults = createFaults();
    faults.add({ service: here.service, fault });
    expect(faults.match(elsewhere)).toBeUndefined();
    expect(faults.match(here)).toBeDefined();
  });
});
