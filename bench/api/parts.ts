import type { Summary } from './bench.ts';

/** A part of the way of a poll, with its microseconds of processor time. */
export type Part = { part: string; microseconds: number };

type Summaries = Record<'service' | 'handler' | 'gateway', Summary>;

/** A thread has the name of its Lambda, of which the kernel keeps 15 characters; the first one is Node's own. */
const LAMBDA = 'get-confirmation'.slice(0, 15);
const FIRST = 'MainThread';
const HELPERS = 'V8Worker';

/** Where the processor time of a poll goes: the parts that can be run alone are, and what they take is taken off. */
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
