import type { Summary } from './bench.ts';

/** A part of the work for a poll, with its processor time. */
export type Part = { part: string; microseconds: number };

type Summaries = Record<'service' | 'handler' | 'gateway', Summary>;

/** A thread has the name of its Lambda, cut to 15 characters by the kernel. The first thread has Node's name. */
const LAMBDA = 'get-confirmation'.slice(0, 15);
const FIRST = 'MainThread';
const HELPERS = 'V8Worker';

/** Splits the processor time of a poll. Parts that can run alone are measured alone and subtracted from the rest. */
export function partsOf({ service, handler, gateway }: Summaries): Part[] {
  const of = ({ perPoll }: Summary, thread: string): number => perPoll.get(thread) ?? 0;
  const gatewayAlone = of(gateway, FIRST);
  const handlerAlone = Math.max(0, of(handler, FIRST) - gatewayAlone);
  const known = [FIRST, LAMBDA, HELPERS, 'java'];
  const others = [...service.perPoll].filter(([thread]) => !known.includes(thread));
  return [
    { part: 'local gateway: HTTP, routing, authorizer (cached), event, answer', microseconds: gatewayAlone },
    {
      part: 'same thread: the AWS endpoint before DynamoDB Local, messages to and from the Lambda',
      microseconds: of(service, FIRST) - gatewayAlone,
    },
    { part: 'handler with middleware and validation', microseconds: handlerAlone },
    {
      part: "Lambda's thread: AWS SDK (serialisation, signature, HTTP), messages",
      microseconds: of(service, LAMBDA) - handlerAlone,
    },
    { part: "V8's helper threads: garbage collection, compilation", microseconds: of(service, HELPERS) },
    { part: 'DynamoDB Local (Java)', microseconds: of(service, 'java') },
    { part: 'other threads', microseconds: others.reduce((sum, [, microseconds]) => sum + microseconds, 0) },
  ].filter(({ microseconds }) => microseconds >= 0.5);
}
