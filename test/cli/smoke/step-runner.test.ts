import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { type StepDefinition, type StepResult, StepRunner } from '../../../cli/smoke/step-runner.ts';
import { UndoList } from '../../../cli/smoke/undo-list.ts';

const step = (name: string, limitSeconds = 10): StepDefinition => ({
  name,
  title: `Step ${name}`,
  limitSeconds,
  hint: `Look at ${name}.`,
});

const runnerWith = (signal = new AbortController().signal) => {
  const told: StepResult[] = [];
  return { runner: new StepRunner(signal, (result) => told.push(result)), told };
};

test('a step that exceeds its time fails with the reason and where to look', async () => {
  const { runner, told } = runnerWith();
  const made = await runner.step(
    step('slow', 0.05),
    [],
    async () => await new Promise<true>(() => undefined),
  );
  expect(made).toBeUndefined();
  expect(told).toMatchObject([
    { name: 'slow', status: 'failed', reason: 'no result within 0.05 s', hint: 'Look at slow.' },
  ]);
});

test('a step that is ended says how far it came', async () => {
  const { runner, told } = runnerWith();
  await runner.step(step('counting', 0.05), [], async (_, { signal, say }) => {
    try {
      await wait(60_000, undefined, { signal });
    } finally {
      say('3 of 20');
    }
  });
  expect(told).toMatchObject([{ status: 'failed', detail: '3 of 20' }]);
});

test('a step with missing requirements is skipped, and the others are not', async () => {
  const { runner, told } = runnerWith();
  const broken = await runner.step(
    step('broken'),
    [],
    async () => await Promise.reject<number>(new Error('no')),
  );
  const needing = await runner.step(
    step('needing'),
    [broken] as const,
    async ([number]) => await Promise.resolve(number + 1),
  );
  const other = await runner.step(step('other'), [], async (_, { say }) => {
    say('two');
    return await Promise.resolve(2);
  });
  expect([needing, other]).toEqual([undefined, 2]);
  expect(told.map(({ name, status }) => [name, status])).toEqual([
    ['broken', 'failed'],
    ['needing', 'skipped'],
    ['other', 'ok'],
  ]);
  expect(told[2]?.detail).toBe('two');
});

test('the removal waits for what an abandoned step still makes, within its time limit', async () => {
  const ending = new AbortController();
  const { runner } = runnerWith(ending.signal);
  const answer = Promise.withResolvers<undefined>();
  let isMade = false;
  const stepping = runner.step(step('making'), [], async () => {
    await answer.promise;
    isMade = true;
  });
  ending.abort(new Error('enough'));
  await stepping;
  const settling = runner.untilCallsEnd(60);
  answer.resolve(undefined);
  await settling;
  expect(isMade).toBe(true);

  const stuck = runnerWith();
  await stuck.runner.step(step('stuck', 0.01), [], async () => await new Promise(() => undefined));
  await expect(stuck.runner.untilCallsEnd(0.01)).resolves.toBeUndefined();
});

test('the last resource is removed first, and a failed removal is reported and stops nothing', async () => {
  const undo = new UndoList();
  const removed: string[] = [];
  const entry = (what: string, remove: () => Promise<void>) =>
    undo.add({ what, fix: `Remove ${what}.`, remove });
  entry('first', async () => {
    await wait(1);
    removed.push('first');
  });
  entry('stubborn', async () => await Promise.reject(new Error('in use')));
  let failures = 0;
  entry('last', async () => {
    await wait(1);
    if (failures++ === 0) throw new Error('busy');
    removed.push('last');
  });
  const lines: string[] = [];
  const leftovers = await undo.removeAll((line) => lines.push(line));
  expect(removed).toEqual(['last', 'first']);
  expect(leftovers).toEqual([{ what: 'stubborn', reason: 'in use', fix: 'Remove stubborn.' }]);
  expect(lines).toEqual(['removed  last', 'LEFT     stubborn: in use', 'removed  first']);
});

test('a step that the operator interrupts has no hint', async () => {
  const ending = new AbortController();
  const { runner, told } = runnerWith(ending.signal);
  const stepping = runner.step(step('waiting'), [], async () => await new Promise(() => undefined));
  ending.abort(new Error('Interrupted.'));
  await stepping;
  expect(told).toMatchObject([{ status: 'failed', reason: 'Interrupted.' }]);
  expect(told[0]).not.toHaveProperty('hint');
});
