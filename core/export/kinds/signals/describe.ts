import type { SignalsDestination } from './record.ts';

export const describeSignals = ({ streamId, url, lanes }: SignalsDestination) => ({
  'stream of signals': streamId,
  receiver: url ?? 'polls',
  lanes,
});
