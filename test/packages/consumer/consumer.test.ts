/** Each event is handled once, and those of an aggregate one after the other. */
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, jest, test } from '@jest/globals';
import fc from 'fast-check';
import {
  Consumer,
  createStreamHandler,
  keyOf,
  orderingKeyOf,
  SeenEvents,
  type Event,
  type EventMemory,
} from '#consumer';
import { event, idsOf, recordOf, tenantId } from './support/events.ts';

const base64 = (text: string): string => Buffer.from(text).toString('base64');

describe('duplicates', () => {
  test('are dropped in any case of the id, but not events of another tenant', async () => {
    const handled: Event[] = [];
    const consumer = new Consumer({ handlers: (one) => void handled.push(one) });
    const first = event('a');
    const { metadata } = first;
    const loud = { ...first, metadata: { ...metadata, eventId: metadata.eventId.toUpperCase() } };
    const foreign = { ...first, metadata: { ...metadata, tenantId: tenantId.replace('6f', '7f') } };
    await consumer.handle([first, loud]);
    await consumer.handle([loud, foreign, first]);
    expect(handled).toEqual([first, foreign]);
  });

  test('are remembered only for the latest events', () => {
    const memory = new SeenEvents(2);
    const answers = ['a', 'b', 'a', 'c', 'a', 'd', 'a'].map((key) => {
      const isKnown = memory.has(key);
      memory.add(key);
      return isKnown;
    });
    expect(answers).toEqual([false, false, true, false, false, false, true]);
  });

  test('are handled once by two concurrent calls', async () => {
    const handled: Event[] = [];
    const handlers = async (one: Event): Promise<void> => {
      await sleep(1);
      handled.push(one);
    };
    const consumer = new Consumer({ handlers });
    const one = event('a');
    await Promise.all([consumer.handle([one]), consumer.handle([one])]);
    expect(handled).toEqual([one]);
  });

  test('are found in a custom memory, which stores an event after it was handled', async () => {
    const steps: string[] = [];
    const known = event('known');
    const memory: EventMemory = {
      has: async (key) => await Promise.resolve(key === keyOf(known)),
      add: async (key) => {
        await Promise.resolve();
        steps.push(`add ${key}`);
      },
    };
    const consumer = new Consumer({ memory, handlers: ({ metadata }) => void steps.push(metadata.eventId) });
    const fresh = event('fresh');
    await consumer.handle([known, fresh]);
    expect(steps).toEqual([fresh.metadata.eventId, `add ${keyOf(fresh)}`]);
  });
});

describe('an event whose handler fails', () => {
  test('is not remembered, and later ones wait', async () => {
    const handled: string[] = [];
    let isBroken = true;
    const [a, b, c] = [event('a'), event('b'), event('c')];
    const consumer = new Consumer({
      handlers: ({ metadata: { eventId } }) => {
        if (isBroken && eventId === b.metadata.eventId) throw new Error('broken');
        handled.push(eventId);
      },
    });
    await expect(consumer.handle([a, b, c])).rejects.toThrow('broken');
    expect(handled).toEqual(idsOf([a]));
    isBroken = false;
    await consumer.handle([a, b, c]);
    expect(handled).toEqual(idsOf([a, b, c]));
  });

  test('does not stop earlier records of its aggregate, whatever is handled concurrently', async () => {
    const aggregates = ['a', 'b', 'c'];
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(fc.constantFrom(...aggregates), { maxLength: 4 }), { minLength: 1, maxLength: 8 }),
        fc.nat(),
        fc.integer({ min: 1, max: 4 }),
        async (shape, broken, concurrency) => {
          const batches = shape.map((names) => names.map((name) => event(name)));
          const all = batches.flat();
          const failing = all[broken % Math.max(all.length, 1)];
          const handled: Event[] = [];
          let isBroken = true;
          const handlers = async (one: Event): Promise<void> => {
            await Promise.resolve();
            if (isBroken && one === failing) throw new Error('broken');
            handled.push(one);
          };
          const consumer = new Consumer({ handlers, concurrency });
          const failure = await consumer.handleBatches(batches);
          const expected = batches.findIndex((events) => events.some((one) => one === failing));
          expect(failure?.index).toBe(failing ? expected : undefined);
          for (const one of batches.slice(0, Math.max(expected, 0)).flat()) expect(handled).toContain(one);

          isBroken = false;
          expect(await consumer.handleBatches(batches.slice(Math.max(expected, 0)))).toBeUndefined();
          for (const name of aggregates) {
            const own = (events: Event[]) => events.filter(({ metadata }) => metadata.aggregateId === name);
            expect(own(handled)).toEqual(own(all));
          }
        },
      ),
      { numRuns: 200 },
    );
  });
});

test("events of a tenant stay in order in any case of the tenant's id", () => {
  const loud = { metadata: { tenantId: tenantId.toUpperCase() } };
  expect(orderingKeyOf(event('a', loud))).toBe(orderingKeyOf(event('a')));
  expect(orderingKeyOf(event('b'))).not.toBe(orderingKeyOf(event('a')));
});

describe('concurrency', () => {
  test('reports the first failed batch, whichever failed first', async () => {
    const handlers = async ({ metadata: { aggregateId = '' } }: Event): Promise<void> => {
      if (aggregateId === 'slow') await sleep(5);
      throw new Error(aggregateId);
    };
    const consumer = new Consumer({ concurrency: 2, handlers });
    expect(await consumer.handleBatches([[event('slow')], [event('quick')]])).toEqual({
      index: 0,
      error: new Error('slow'),
    });
    expect(await consumer.handleBatches([[event('quick')], [event('slow')]])).toMatchObject({
      error: new Error('quick'),
    });
  });

  test('starts nothing after a failed batch', async () => {
    const begun: string[] = [];
    const handlers = ({ metadata: { aggregateId = '' } }: Event): void => {
      begun.push(aggregateId);
      if (aggregateId === 'a') throw new Error('broken');
    };
    const consumer = new Consumer({ concurrency: 2, handlers });
    await consumer.handleBatches([[event('a'), event('b')], [event('c')]]);
    expect(begun).toEqual(['a', 'b']);
  });

  test('handles aggregates concurrently, up to the limit', async () => {
    let running = 0;
    let most = 0;
    const consumer = new Consumer({
      concurrency: 3,
      handlers: async () => {
        most = Math.max(most, ++running);
        await sleep(2);
        running -= 1;
      },
    });
    await consumer.handle(['a', 'b', 'c', 'd', 'e', 'a', 'b'].map((name) => event(name)));
    expect(most).toBe(3);
  });

  test('is a whole number from 1', () => {
    for (const concurrency of [0, -1, 1.5, Number.NaN])
      expect(() => new Consumer({ handlers: () => undefined, concurrency })).toThrow('invalid-options');
  });
});

describe('handlers', () => {
  const told = (): { names: string[]; consumer: Consumer } => {
    const names: string[] = [];
    const say = (name: string) => () => void names.push(name);
    const handlers = {
      public: { 'UserCreatedEvent 1': say('created'), 'UserCreatedEvent 2': say('created, new') },
      log: say('log'),
      other: say('other'),
    };
    return { names, consumer: new Consumer({ handlers }) };
  };

  test.each([
    ['created', {}],
    ['created', { payloadVersion: '1.12' }],
    ['created', { metadataVersion: '1.1' }],
    ['created, new', { payloadVersion: '2.0' }],
    ['other', { payloadVersion: '10.0' }],
    ['other', { type: 'UserRenamedEvent' }],
    ['other', { type: 'constructor' }],
    ['other', { metadataVersion: '2.0' }],
    ['log', { category: 'log' }],
    ['other', { category: 'log', metadataVersion: '2.0' }],
  ])('are chosen by type and version: %s for %j', async (name, metadata) => {
    const { names, consumer } = told();
    await consumer.handle([event('a', { metadata })]);
    expect(names).toEqual([name]);
  });

  test('may be missing for log events', async () => {
    const others: Event[] = [];
    const consumer = new Consumer({ handlers: { other: (one) => void others.push(one) } });
    await consumer.handle([event('a', { metadata: { category: 'log' } })]);
    expect(others).toHaveLength(1);
  });
});

describe('a Lambda on a stream', () => {
  const batchOf = (...data: string[]) => ({
    Records: data.map((text, index) => ({
      kinesis: { data: base64(text), sequenceNumber: String(index + 1) },
    })),
  });

  test('reports the first failed record, and drops what it handled before when the record is repeated', async () => {
    const handled: Event[] = [];
    const errors: unknown[] = [];
    const [a, b, c] = [event('a'), event('b'), event('c')];
    const handler = createStreamHandler({
      handlers: (one) => void handled.push(one),
      onError: (error, record) => void errors.push([error, record]),
    });
    const torn = await handler(batchOf(recordOf(a), '{"event":{}}', recordOf(c)));
    expect(torn).toEqual({ batchItemFailures: [{ itemIdentifier: '2' }] });
    expect(errors).toEqual([
      [expect.objectContaining({ code: 'malformed-record' }), { sequenceNumber: '2' }],
    ]);
    expect(await handler(batchOf(recordOf(a), recordOf(b), recordOf(c)))).toEqual({ batchItemFailures: [] });
    expect(handled).toEqual([a, b, c]);
  });

  test('reports a failed handler before a malformed record after it', async () => {
    const handler = createStreamHandler({
      handlers: () => {
        throw new Error('broken');
      },
      onError: () => {
        throw new Error('a report that fails changes nothing');
      },
    });
    const answer = await handler(batchOf('{"events":[]}', recordOf(event('a')), '{'));
    expect(answer).toEqual({ batchItemFailures: [{ itemIdentifier: '2' }] });
  });

  test('reports to the console by default', async () => {
    const error = jest.spyOn(console, 'error').mockReturnValue();
    await createStreamHandler({ handlers: () => undefined })(batchOf('{'));
    expect(error).toHaveBeenCalledTimes(1);
    error.mockRestore();
  });
});
