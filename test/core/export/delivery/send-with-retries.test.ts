import { expect, jest, test } from '@jest/globals';
import { streamFault } from '../../../../core/export/kinds/stream/stream-faults.ts';
import { sendWithRetries } from '../../../../core/export/delivery/send-with-retries.ts';
import type { Fault } from '../../../../core/export/targets/target.ts';

const records = ['a', 'b', 'c'].map((text, first) => ({
  ...{ lane: 'l', data: Buffer.from(text), size: 1, first },
}));

async function sentTo(faultOf: (text: string) => Fault | undefined) {
  const sent: string[] = [];
  const delivery = await sendWithRetries(records, Date.now() + 200, {
    limits: { records: 10, bytes: 1_000, perLane: 10 },
    explain: () => streamFault('TimeoutError'),
    send: async (batch) => {
      sent.push(...batch.map(({ data }) => data.toString()));
      return await Promise.resolve(batch.map(({ data }) => faultOf(data.toString())));
    },
  });
  return { sent, delivery };
}

const unknown = streamFault('SomethingNewException');

test('a record that fails with an unknown code is set aside if its neighbours are taken, which get sent once', async () => {
  const { sent, delivery } = await sentTo((text) => (text === 'b' ? unknown : undefined));
  expect(sent).toEqual(['a', 'b', 'c']);
  expect(delivery).toEqual({ undelivered: [], refused: { records: [records[1]], fault: unknown } });
});

test('records that all fail with an unknown code wait', async () => {
  const { delivery } = await sentTo(() => unknown);
  expect(delivery).toEqual({ undelivered: records, fault: unknown });
});

test('a record that fails with a known code is sent again', async () => {
  const passing = streamFault('InternalFailure');
  const { sent, delivery } = await sentTo((text) => (text === 'b' ? passing : undefined));
  expect(sent.filter((text) => text === 'b').length).toBeGreaterThan(1);
  expect(delivery).toMatchObject({ undelivered: [records[1]], fault: passing });
});

/** Records of these sizes, one in each call. */
async function sentAlone(sizes: [number, number, number], isAnswered: (text: string) => boolean) {
  const sent: string[] = [];
  const alone = records.map(
    (record, index) => ({ ...record, size: sizes[index] ?? 1, alone: true }) as const,
  );
  const delivery = await sendWithRetries(alone, Date.now() + 60_000, {
    limits: { records: 10, bytes: 1_000, perLane: 1 },
    explain: () => streamFault('TimeoutError'),
    send: async (batch) => {
      const [text = ''] = batch.map(({ data }) => data.toString());
      sent.push(text);
      if (!isAnswered(text)) throw Object.assign(new Error('no answer'), { name: 'TimeoutError' });
      return await Promise.resolve([undefined]);
    },
  });
  return { sent, delivery };
}

test('after a slow answer the next call of few events gets the time that it needs', async () => {
  const clock = jest.spyOn(performance, 'now');
  let now = 0;
  // Slower than a second, with fractions of a millisecond, as clocks have them.
  clock.mockImplementation(() => (now += 1_000.123));
  const { sent, delivery } = await sentAlone([1, 1, 1], () => true);
  clock.mockRestore();
  expect(sent).toEqual(['a', 'b', 'c']);
  expect(delivery).toEqual({ undelivered: [] });
});

test('after a lost answer a call of few events is made again, and one of more waits, to be packed in smaller ones', async () => {
  const tried = new Set<string>();
  const { sent, delivery } = await sentAlone([1, 8, 9], (text) => tried.size === tried.add(text).size);
  expect(sent).toEqual(['a', 'a', 'b', 'b', 'c']);
  expect(delivery.undelivered.map(({ size }) => size)).toEqual([9]);
  expect(delivery.fault).toMatchObject({ actor: 'nobody', unanswered: true });
});
