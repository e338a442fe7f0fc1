import { describeMachine, formatNumber, formatTable } from '../report/markdown.ts';
import { type Round, type Size, type SubjectName, subjectNames, summarise, type Summary } from './bench.ts';
import { partsOf } from './parts.ts';

/** The goal, as a multiple of CIBA's polls per second. */
export const goal = 2;

const labels: Record<SubjectName, string> = {
  service: 'the whole service on the local stack',
  token: 'the same, by CIBA: `POST /oauth/token`',
  ciba: 'CIBA poll of `oidc-provider`',
  handler: 'our handler behind the local gateway, the store’s answer in memory',
  tokenHandler: 'our handler of `POST /oauth/token`, the stores’ answers in memory',
  gateway: 'the local gateway alone, the Lambda’s answer in memory',
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
  if (parts.length === 0) return 'This system does not show the processor time of threads.';
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

const method = `Both clients poll for a decision that no user makes. They send each poll as soon as the previous one is answered, in alternating rounds
with the same settings. A time is the time between two answers on a connection. CIBA: \`oidc-provider\` in its own process, with its in-memory adapter and
\`client_secret_basic\`. Its polls take turns over 100 authentication requests, and each is answered \`authorization_pending\` after all checks: this provider
enforces no interval and never answers \`slow_down\`. Ours: \`GET /omi/push/confirmation\` with an access token, answered \`pending\`. Only the
authorizer's answer is cached, as in API Gateway. Ours by CIBA: \`POST /oauth/token\` with \`client_secret_basic\`, also over 100 requests, answered
\`authorization_pending\`. It reads the client, compares the secret's hash and writes the time of the poll, each time. For the comparison the requests have no interval.`;

/** Markdown for the terminal and for docs/performance.md. */
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
      verdict('the whole service by CIBA, keep-alive', ratio(kept, 'token')),
      verdict('the whole service by CIBA, new connections', ratio(anew, 'token')),
      verdict('like for like, both from memory, keep-alive', ratio(kept, 'handler')),
      verdict('like for like, both from memory, new connections', ratio(anew, 'handler')),
      verdict('like for like, CIBA by CIBA from memory, keep-alive', ratio(kept, 'tokenHandler')),
      verdict('like for like, CIBA by CIBA from memory, new connections', ratio(anew, 'tokenHandler')),
      ...perProcessorSecond(kept),
    ].join('\n'),
    'The client is also one process. It limits the figures of the two servers that answer from memory, because it is busier than they are.',
    `The next table shows the processor time of a poll with keep-alive. The whole service does on one machine the work of API Gateway, Lambda and DynamoDB:
a poll uses three HTTP connections and two threads, and DynamoDB Local reads a database. A poll of CIBA uses one connection and reads memory.`,
    partsTable(kept),
  ].join('\n\n');
}
