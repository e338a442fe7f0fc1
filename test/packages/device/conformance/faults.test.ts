/** A phone with a fault fails the checks that are about this fault, and no others. */
import { expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { runSuite, type Report } from '../../../../packages/device/conformance/suite.ts';
import { faults, type Fault } from './faults.ts';
import { Phone } from './phone.ts';
import { longestProgramMs } from '../../../support/waiting.ts';

const names = Object.keys(faults) as Fault[];
/** They wait more than they compute. */
const mostAtOnce = 16;
/** A machine that is busy with other tests answers later than one with this alone. */
const patienceMs = 1_500;

/** They last as long as a device that waits for ever, so only a phone with a fault of theirs goes through them. */
const slow: readonly string[] = ['answer-never', 'answer-slow'];

const failedIn = ({ findings }: Pick<Report, 'findings'>): string[] =>
  findings
    .filter(({ outcome }) => outcome === 'failed')
    .map(({ id }) => id)
    .toSorted();

const checks = [...new Set<string>(Object.values(faults).flat())];
const withoutFault = runSuite(new Phone(), { patienceMs });

async function reportOn(fault: Fault): Promise<Report> {
  const found: readonly string[] = faults[fault];
  const only = checks.filter((id) => found.includes(id) || !slow.includes(id));
  return await runSuite(new Phone(fault), { patienceMs, only });
}

/** Each in its turn, and at most so many at once. */
function startAll(): Map<Fault, Promise<Report>> {
  const slots = Array.from({ length: mostAtOnce }, async () => await Promise.resolve<unknown>(undefined));
  const reports = names.map((fault, index) => {
    const slot = index % mostAtOnce;
    const report = (slots[slot] ?? Promise.resolve()).then(async () => await reportOn(fault));
    slots[slot] = report.catch(() => undefined);
    return [fault, report] as const;
  });
  return new Map(reports);
}

const reports = startAll();
test.each(names)(
  'a phone that %s is found, by the checks of this fault alone',
  async (fault) => {
    const report = await reports.get(fault);
    expect(report && failedIn(report)).toEqual([...faults[fault]].toSorted());
  },
  longestProgramMs,
);

test('each check of the misbehaving service has a fault that it finds, and finds none without one', async () => {
  const { findings } = await withoutFault;
  expect(failedIn({ findings })).toEqual([]);
  const own = findings.filter(({ part }) => part !== 'running').map(({ id }) => id);
  expect(own.filter((id) => !checks.includes(id))).toEqual([]);
});

test('the page of the suite says how many faults there are', () => {
  expect(readFileSync('packages/device/CONFORMANCE.md', 'utf8')).toContain(`one of ${names.length} faults`);
});
