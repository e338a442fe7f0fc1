import { describeMachine, formatNumber, formatTable } from '../report/markdown.ts';
import { type Round, type Size, type SubjectName, subjectNames, summarise, type Summary } from './bench.ts';
import { partsOf } from './parts.ts';

/** Times the polls of CIBA a second. */
export const goal = 2;

const labels: Record<SubjectName, string> = {
  service: 'this service, whole, on the local stack',
  ciba: 'CIBA poll of `oidc-provider`',
  handler: 'our handler behind the local gateway, the store’s answer from memory',
  gateway: 'the local gateway alone, the Lambda’s answer from memory',
};

type Summaries = Record<SubjectName, Summary>;

const summariesOf = (rounds: readonly Round[], keepAlive: boolean): Summaries =>
  Object.fromEntries(subjectNames.map((name) => [name, summarise(rounds, name, keepAlive)])) as Summaries;

const ratio = (summaries: Summaries, name: SubjectName): number =>
  summaries[name].requestsPerSecond / summaries.ciba.requestsPerSecond;

/** Microseconds of a server's processor time for a poll. */
const processorTime = ({ perPoll }: Summary): number =>
  [...perPoll.values()].reduce((total, microseconds) => total + microseconds, 0);

function table(summaries: Summaries): string {
  return formatTable(
    subjectNames.map((name) => ({
      polled: labels[name],
      'requests/s': formatNumber(summaries[name].requestsPerSecond),
      'p50 ms': summaries[name].p50.toFixed(2),
      'p99 ms': summaries[name].p99.toFixed(2),
      'processor µs a poll': formatNumber(processorTime(summaries[name])),
      'times CIBA': ratio(summaries, name).toFixed(2),
    })),
  );
}

function partsTable(summaries: Summaries): string {
  const parts = partsOf(summaries);
  if (parts.length === 0) return 'This system does not tell the processor time of threads.';
  const sum = parts.reduce((total, { microseconds }) => total + microseconds, 0);
  const row = (part: string, microseconds: number) => ({
    'part of a poll of the whole service': part,
    µs: formatNumber(microseconds),
    share: `${((microseconds / sum) * 100).toFixed(0)} %`,
  });
  return formatTable([...parts.map(({ part, microseconds }) => row(part, microseconds)), row('all', sum)]);
}

const verdict = (what: string, times: number): string =>
  `- ${what}: **${times.toFixed(2)} times** the polls of CIBA, ${times >= goal ? 'reached' : 'not reached'}.`;

function perProcessorSecond({ ciba, handler }: Summaries): string[] {
  const mine = processorTime(handler);
  if (mine === 0) return [];
  return [
    verdict("like for like, a second of the server's processor time, keep-alive", processorTime(ciba) / mine),
  ];
}

const method = `Both poll for a decision that nobody takes, as fast as the answers come, in alternating rounds with the same settings. A time is that
from one answer on a connection to the next. CIBA: \`oidc-provider\` in a process of its own, its in-memory adapter,
\`client_secret_basic\`; 100 authentication requests in turns, each poll answered \`authorization_pending\` after all its checks: this provider
enforces no interval and never answers \`slow_down\`. Ours: \`GET /omi/push/confirmation\` with an access token, answered \`pending\`; no answer
is cached but the authorizer's, as API Gateway caches it.`;

/** Markdown for the terminal and for the document. */
export function render(rounds: readonly Round[], { rounds: count, seconds, connections }: Size): string {
  const kept = summariesOf(rounds, true);
  const anew = summariesOf(rounds, false);
  return [
    `${describeMachine()}. ${connections} connections, medians of ${count} rounds of ${seconds} s each.`,
    method,
    'With keep-alive:',
    table(kept),
    'A new connection for every poll:',
    table(anew),
    `The goal is ${goal} times the polls of CIBA a second:`,
    [
      verdict('the whole service, keep-alive', ratio(kept, 'service')),
      verdict('the whole service, new connections', ratio(anew, 'service')),
      verdict('like for like, both from memory, keep-alive', ratio(kept, 'handler')),
      verdict('like for like, both from memory, new connections', ratio(anew, 'handler')),
      ...perProcessorSecond(kept),
    ].join('\n'),
    'The client is one process, too, and has its part in the figures of those who answer from memory: it is busier than they are.',
    `Where the processor time of a poll goes, with keep-alive. The whole service does on one machine what API Gateway, Lambda and DynamoDB do
on three: a poll crosses three HTTP connections and two threads, and DynamoDB Local reads it from a database, where CIBA's poll crosses one
connection and reads memory.`,
    partsTable(kept),
  ].join('\n\n');
}
