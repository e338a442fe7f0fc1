import { median } from '../report/statistics.ts';
import { cibaPoll } from './ciba.ts';
import { type Load, load, type LoadOptions, type Poll } from './load.ts';
import { spent, threadTimes, total } from './processor-time.ts';
import { preparedTokenPoll, tokenPoll } from './own-ciba.ts';
import { type Server, startServer } from '../stack/server.ts';
import { confirmationPoll, type LocalStack, pollOf } from '../stack/stack.ts';

/** The polled servers, from the whole service to its parts. */
export const subjectNames = ['service', 'token', 'ciba', 'handler', 'tokenHandler', 'gateway'] as const;
export type SubjectName = (typeof subjectNames)[number];

export type Subject = { name: SubjectName; poll: Poll; pid: number };

export type Round = Load & {
  name: SubjectName;
  keepAlive: boolean;
  /** Microseconds of the server's processor time for a poll, by thread. Undefined without `/proc`. */
  perPoll?: ReadonlyMap<string, number>;
};

export type Size = { rounds: number; seconds: number; connections: number };

/** Starts the servers, runs the work, and stops the servers. */
export async function withSubjects<Result>(
  startLocalStack: () => Promise<LocalStack>,
  work: (subjects: Subject[]) => Promise<Result>,
): Promise<Result> {
  const servers: Server[] = [];
  const add = <One extends Server>(server: One): One => {
    servers.push(server);
    return server;
  };
  try {
    const stack = add(await startLocalStack());
    const ciba = add(await startServer('ciba'));
    const handler = add(await startServer('gateway', 'handler'));
    const tokenHandler = add(await startServer('token'));
    const gateway = add(await startServer('gateway', 'gateway'));
    const prepared = ({ url }: Server): Poll => confirmationPoll(url, 'a-nonce-of-the-benchmark', 'token');
    return await work([
      { name: 'service', poll: await pollOf(stack), pid: stack.pid },
      { name: 'token', poll: await tokenPoll(stack), pid: stack.pid },
      { name: 'ciba', poll: await cibaPoll(ciba.url), pid: ciba.pid },
      { name: 'handler', poll: prepared(handler), pid: handler.pid },
      { name: 'tokenHandler', poll: preparedTokenPoll(tokenHandler.url), pid: tokenHandler.pid },
      { name: 'gateway', poll: prepared(gateway), pid: gateway.pid },
    ]);
  } finally {
    for (const server of servers.toReversed()) await server.stop();
  }
}

async function measure({ name, poll, pid }: Subject, options: LoadOptions): Promise<Round> {
  const before = await threadTimes(pid);
  const measured = await load(poll, options);
  const times = spent(before, await threadTimes(pid));
  const round = { ...measured, name, keepAlive: options.keepAlive };
  if (total(times) === 0) return round;
  const perPoll = new Map(
    [...times].map(([thread, milliseconds]) => [thread, (milliseconds * 1_000) / measured.requests]),
  );
  return { ...round, perPoll };
}

/** The subjects take turns, so that other work on the machine affects all of them. The first round does not count. */
export async function bench(
  subjects: readonly Subject[],
  { rounds, ...options }: Size,
  report: (line: string) => void,
): Promise<Round[]> {
  const measured: Round[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    report(round === 0 ? 'warming up' : `round ${round} of ${rounds}`);
    for (const keepAlive of [true, false])
      for (const subject of subjects) {
        const result = await measure(subject, { ...options, keepAlive });
        if (round > 0) measured.push(result);
      }
  }
  return measured;
}

/** The median of each figure over the rounds. */
export type Summary = Pick<Load, 'requestsPerSecond' | 'p50' | 'p99'> & { perPoll: Map<string, number> };

export function summarise(rounds: readonly Round[], name: SubjectName, keepAlive: boolean): Summary {
  const mine = rounds.filter((round) => round.name === name && round.keepAlive === keepAlive);
  const threads = new Set(mine.flatMap(({ perPoll }) => [...(perPoll?.keys() ?? [])]));
  return {
    requestsPerSecond: median(mine.map(({ requestsPerSecond }) => requestsPerSecond)),
    p50: median(mine.map(({ p50 }) => p50)),
    p99: median(mine.map(({ p99 }) => p99)),
    perPoll: new Map(
      [...threads].map((thread) => [thread, median(mine.map(({ perPoll }) => perPoll?.get(thread) ?? 0))]),
    ),
  };
}
