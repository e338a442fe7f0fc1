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

const failedIn = ({ findings }: Report): string[] =>
  findings
    .filter(({ outcome }) => outcome === 'failed')
    .map(({ id }) => id)
    .toSorted();

/** Each in its turn, and at most so many at once. */
function startAll(): Map<Fault, Promise<Report>> {
  const slots = Array.from({ length: mostAtOnce }, async () => await Promise.resolve<unknown>(undefined));
  const reports = names.map((fault, index) => {
    const slot = index % mostAtOnce;
    const report = (slots[slot] ?? Promise.resolve()).then(
      async () => await runSuite(new Phone(fault), { patienceMs }),
    );
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

test('each check of the misbehaving service has a fault that it finds', async () => {
  const { findings } = await runSuite(new Phone(), { patienceMs });
  expect(failedIn({ device: '', abilities: [], findings })).toEqual([]);
  const found = new Set<string>(Object.values(faults).flat());
  const own = findings.filter(({ part }) => part !== 'running').map(({ id }) => id);
  expect(own.filter((id) => !found.has(id))).toEqual([]);
});

test('the page of the suite says how many faults there are', () => {
  expect(readFileSync('packages/device/CONFORMANCE.md', 'utf8')).toContain(`one of ${names.length} faults`);
});
