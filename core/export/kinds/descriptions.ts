import { describeBucket } from './bucket/describe.ts';
import { describeBus } from './bus/describe.ts';
import { isPlace, type Destination, type Kind, type PlaceOf } from './records.ts';
import { describeSignals } from './signals/describe.ts';
import { describeStream } from './stream/describe.ts';
import { describeWebhook } from './webhook/describe.ts';

type Description = Record<string, string | number | undefined>;

const descriptions: { [K in Kind]: (destination: PlaceOf<K>) => Description } = {
  stream: describeStream,
  bucket: describeBucket,
  webhook: describeWebhook,
  bus: describeBus,
  signals: describeSignals,
};

/** A destination as its operator reads it. */
export function describeDestination(destination: Destination): Description {
  if (!isPlace(destination)) return { destination: destination.kind };
  const describe: (destination: never) => Description = descriptions[destination.kind];
  return describe(destination as never);
}
