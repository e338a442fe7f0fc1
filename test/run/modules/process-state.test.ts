import { tmpdir } from 'node:os';
import { expect, test } from '@jest/globals';
import { ProcessState } from './process-state.ts';

const globals = globalThis as Record<string, unknown>;
const seen = () => ({
  fetch: globals['fetch'],
  made: 'madeByTest' in globals,
  exit: Object.getOwnPropertyDescriptor(process, 'exit'),
  exitCode: process.exitCode,
  folder: process.cwd(),
  environment: { ...process.env },
  listeners: process.listenerCount('SIGUSR2'),
});

test('is as before when a suite ends', () => {
  process.env['OMI_KEPT'] = 'before';
  process.env['OMI_REMOVED'] = 'before';
  const kept = (): void => undefined;
  process.on('SIGUSR2', kept);
  const before = seen();
  const state = new ProcessState();

  globals['fetch'] = () => undefined;
  globals['madeByTest'] = 1;
  process.exit = () => undefined as never;
  process.exitCode = 1;
  process.chdir(tmpdir());
  Object.assign(process.env, { OMI_KEPT: 'after', OMI_NEW: 'after' });
  delete process.env['OMI_REMOVED'];
  process.on('SIGUSR2', () => undefined);
  expect(seen()).not.toEqual(before);

  state.restore();
  expect(seen()).toEqual(before);
  expect(process.listeners('SIGUSR2')).toEqual([kept]);
  process.off('SIGUSR2', kept);
});
