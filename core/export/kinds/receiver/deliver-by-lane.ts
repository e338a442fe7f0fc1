import type { PackedRecord } from '../../delivery/packing.ts';
import type { Delivery } from '../../delivery/send-with-retries.ts';

/** Delivers the lanes beside each other. None waits for another. */
export async function deliverByLane(
  records: readonly PackedRecord[],
  deliver: (its: readonly PackedRecord[]) => Promise<Delivery>,
): Promise<Delivery> {
  const lanes = Map.groupBy(records, ({ lane }) => lane);
  return merge(records, await Promise.all([...lanes.values()].map(deliver)));
}

/** A fault by which records were not delivered counts more than slowness. */
function merge(records: readonly PackedRecord[], deliveries: readonly Delivery[]): Delivery {
  const left = new Set(deliveries.flatMap(({ undelivered }) => undelivered));
  const failed = deliveries.find(({ undelivered, fault }) => undelivered.length > 0 && fault);
  const fault = failed?.fault ?? deliveries.find((delivery) => delivery.fault)?.fault;
  return { undelivered: records.filter((record) => left.has(record)), ...(fault && { fault }) };
}
