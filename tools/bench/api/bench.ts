import { readFile } from 'node:fs/promises';
import { describeMachine, formatNumber, formatTable, median } from '../report.ts';
import { type Server, startServer } from '../stack/server.ts';
import { type Load, load, type Poll } from './load.ts';
import { cibaPoll, confirmationPoll, tokenPoll } from './polls.ts';

/** What is polled, each in a process of its own. The polls of CIBA are the control. */
const subjects = {
  'CIBA poll of `oidc-provider`': ['ciba', cibaPoll],
  '`GET /omi/push/confirmation`': ['ours', confirmationPoll],
  '`POST /oauth/token`': ['ours', (url: string) => tokenPoll(`${url}/oauth/token`, ['a-request'])],
  'the local gateway alone': ['ours', confirmationPoll],
} as const;
type Subject = keyof typeof subjects;
export const [control, ...others] = Object.keys(subjects) as [Subject, ...Subject[]];

/** At least so many times the polls of the control in a second. */
export const goals: Partial<Record<Subject, number>> = {
  '`GET /omi/push/confirmation`': 2,
  '`POST /oauth/token`': 1.5,
};

/** `cpu`: microseconds of the server's processor time for a poll. */
export type Round = Load & { name: Subject; keepAlive: boolean; cpu: number };
export type Size = { rounds: number; seconds: number; connections: number };

/** Milliseconds of processor time: the fields after the name in `/proc/<pid>/stat`, in hundredths of a second. */
async function processorTime(pid: number): Promise<number> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  const [user = NaN, system = NaN] = text
    .slice(text.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 13)
    .map(Number);
  return (user + system) * 10;
}

/** The subjects take turns, so that other work on the machine affects all of them. The first round does not count. */
export async function bench({ rounds, ...options }: Size, report: (line: string) => void): Promise<Round[]> {
  const measured: Round[] = [];
  const servers: Server[] = [];
  const polled: { name: Subject; poll: Poll; pid: number }[] = [];
  try {
    for (const name of [control, ...others]) {
      const [program, pollOf] = subjects[name];
      const server = await startServer(
        `tools/bench/api/servers/${program}.ts`,
        name.includes('gateway') ? 'gateway' : 'handler',
      );
      servers.push(server);
      polled.push({ name, poll: await pollOf(server.url), pid: server.pid });
    }
    for (let round = 0; round <= rounds; round += 1) {
      report(round === 0 ? 'warming up' : `round ${round} of ${rounds}`);
      for (const keepAlive of [true, false])
        for (const { name, poll, pid } of polled) {
          const before = await processorTime(pid);
          const its = await load(poll, { ...options, keepAlive });
          const cpu = ((await processorTime(pid)) - before) * (1_000 / its.requests);
          if (round > 0) measured.push({ ...its, name, keepAlive, cpu });
        }
    }
    return measured;
  } finally {
    for (const server of servers) await server.stop();
  }
}

type Figure = 'requestsPerSecond' | 'p50' | 'p99' | 'cpu';

/** Medians; the ratios are those of each round, so that what disturbs a round disturbs both of its sides. */
export function summarise(rounds: readonly Round[], keepAlive: boolean) {
  const of = (name: Subject) => rounds.filter((one) => one.name === name && one.keepAlive === keepAlive);
  return [control, ...others].map((name) => {
    const medianOf = (figure: Figure): number => median(of(name).map((round) => round[figure]));
    const ratioOf = (figure: Figure): number =>
      median(of(name).map((round, index) => round[figure] / (of(control)[index]?.[figure] ?? NaN)));
    const times = { polls: ratioOf('requestsPerSecond'), perCpu: 1 / ratioOf('cpu') };
    return { name, p50: medianOf('p50'), p99: medianOf('p99'), cpu: medianOf('cpu'), times };
  });
}

/** Markdown for the terminal and for docs/performance.md. */
export function render(rounds: readonly Round[], { rounds: count, seconds, connections }: Size): string {
  const parts = [true, false].map((keepAlive) => {
    const summary = summarise(rounds, keepAlive);
    const rows = summary.map(({ name, p50, p99, cpu, times }) => ({
      polled: name,
      'p50 ms': p50.toFixed(2),
      'p99 ms': p99.toFixed(2),
      'processor µs a poll': formatNumber(cpu),
      'times the polls of CIBA': times.polls.toFixed(2),
      'times, by processor time': times.perCpu.toFixed(2),
    }));
    return { title: keepAlive ? 'With keep-alive:' : 'A new connection for every poll:', rows, summary };
  });
  const [kept] = parts;
  const verdicts = (kept?.summary ?? []).flatMap(({ name, times }) => {
    const goal = goals[name] ?? NaN;
    if (Number.isNaN(goal)) return [];
    return [
      `- ${name}: the goal, ${goal} times by processor time with keep-alive, is ${times.perCpu >= goal ? 'reached' : 'missed'}.`,
    ];
  });
  return [
    `${describeMachine()}. ${connections} connections, medians of ${count} rounds of ${seconds} s each.`,
    ...parts.flatMap(({ title, rows }) => [title, formatTable(rows)]),
    verdicts.join('\n'),
  ].join('\n\n');
}
