import { describeMachine, formatTable } from '../report/markdown.ts';
import type { Measured } from './measure.ts';

const asks = /^POST \/(bc-authorize|omi\/push\/)/;

/** How many calls of the service each way needs for an approval. */
export function render(
  measured: readonly Measured[],
  { seconds, at }: { seconds: number; at: Date },
): string {
  const rows = measured.map(({ way, calls }) => ({
    'calls of an approval': way,
    ask: String(calls.filter((call) => asks.test(call)).length),
    'learn the answer': String(calls.filter((call) => !asks.test(call)).length),
    all: String(calls.length),
  }));
  const machine = `${describeMachine()}. ${at.toISOString().slice(0, 10)}.`;
  return `${machine} The user answers after ${seconds} seconds.\n\n${formatTable(rows)}`;
}
