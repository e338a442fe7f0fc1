/** How `Omi` for Python keeps the service's keys. */
import { expect, test } from '@jest/globals';
import { hasPython, runWithExamples } from '../../docs/tenants/programs.ts';

const day = 86_400;

(hasPython ? test : test.skip)(
  'the keys are kept for 5 minutes, and for a day while they cannot be loaded, with one try in 30 seconds',
  async () => {
    const calls: [second: number, answers: boolean, outcome: string][] = [
      [0, false, 'network 1'],
      [1, true, 'keys 2'],
      [301, true, 'keys 2'],
      [302, true, 'keys 3'],
      [1000, false, 'keys 4'],
      [1030, false, 'keys 4'],
      [1031, false, 'keys 5'],
      [302 + day, false, 'keys 6'],
      [400 + day, false, 'network 7'],
      [401 + day, true, 'keys 8'],
    ];
    const given = calls.map(([second, answers]) => [second, answers]);
    const printed = await runWithExamples('test/packages/python/keys.py', JSON.stringify(given));
    expect(printed.trim().split('\n')).toEqual(calls.map(([, , outcome]) => outcome));
  },
);
