import { readdir, readFile } from 'node:fs/promises';

/** Milliseconds of processor time by thread name. */
export type ThreadTimes = ReadonlyMap<string, number>;

/** `USER_HZ`, the unit of these files. */
const MILLISECONDS_A_TICK = 10;

type Stat = { name: string; parent: number; milliseconds: number };

/** Parses `/proc/<pid>/stat` (proc_pid_stat(5)). The name may contain any character, so the fields are counted from its end. */
export function parseStat(text: string): Stat {
  const nameEnd = text.lastIndexOf(')');
  const fields = text.slice(nameEnd + 2).split(' ');
  const [parent, user, system] = [fields[1], fields[11], fields[12]].map(Number);
  return {
    name: text.slice(text.indexOf('(') + 1, nameEnd),
    parent: parent ?? 0,
    milliseconds: ((user ?? 0) + (system ?? 0)) * MILLISECONDS_A_TICK,
  };
}

/** Undefined if the thread or process has ended. */
const statOf = async (path: string): Promise<Stat | undefined> =>
  await readFile(`${path}/stat`, 'utf8').then(parseStat, () => undefined);

const numbersIn = async (directory: string): Promise<number[]> =>
  (await readdir(directory).catch(() => [])).map(Number).filter((number) => number > 0);

async function descendants(pid: number): Promise<number[]> {
  const all = await Promise.all(
    (await numbersIn('/proc')).map(async (id) => ({ id, parent: (await statOf(`/proc/${id}`))?.parent })),
  );
  const found = [pid];
  for (const parent of found) found.push(...all.filter((one) => one.parent === parent).map(({ id }) => id));
  return found;
}

/** The times of a process and its descendants. All threads of Java have one name. Empty without `/proc`. */
export async function threadTimes(pid: number): Promise<ThreadTimes> {
  const times = new Map<string, number>();
  for (const id of await descendants(pid)) {
    const program = (await statOf(`/proc/${id}`))?.name;
    for (const thread of await numbersIn(`/proc/${id}/task`)) {
      const stat = await statOf(`/proc/${id}/task/${thread}`);
      if (!stat) continue;
      const name = program === 'java' ? 'java' : stat.name;
      times.set(name, (times.get(name) ?? 0) + stat.milliseconds);
    }
  }
  return times;
}

/** The time between two measurements. */
export const spent = (before: ThreadTimes, after: ThreadTimes): ThreadTimes =>
  new Map([...after].map(([name, milliseconds]) => [name, milliseconds - (before.get(name) ?? 0)]));

export const total = (times: ThreadTimes): number => [...times.values()].reduce((sum, one) => sum + one, 0);
