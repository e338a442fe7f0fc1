import { describe, expect, test } from '@jest/globals';
import { environments } from '../../../tools/bench/cold/environments.ts';
import type { Measurement } from '../../../tools/bench/cold/measure.ts';
import { missesOf, render } from '../../../tools/bench/cold/report.ts';
import { bundledLambdas } from '../../../tools/bundling/bundle.ts';
import { deploymentLambdas } from '../../support/deployment-lambdas.ts';

const good: Measurement = {
  lambda: 'get-confirmation',
  ours: { bytes: 200_000, wall: 30, cpu: 30 },
  control: { bytes: 600_000, wall: 90, cpu: 90 },
  modules: ['node_modules/@aws-sdk/client-dynamodb/dist-es/index.js'],
};

describe('a Lambda', () => {
  test('misses no goal if it is within all budgets', () => {
    expect(missesOf(good)).toEqual([]);
  });

  test('misses its budget of bytes, which is larger with SNS or signatures', () => {
    const large = { ...good, ours: { bytes: 250_000, wall: 30, cpu: 30 } };
    expect(missesOf(large)).toEqual(['get-confirmation: 250.0 KB of 232.5']);
    const modules = [...good.modules, 'node_modules/@aws-sdk/client-sns/dist-es/index.js'];
    expect(missesOf({ ...large, modules })).toEqual([]);
  });

  test('misses its time if it belongs to the API and is slow', () => {
    const slow = {
      ...good,
      ours: { bytes: 200_000, wall: 46, cpu: 46 },
      control: { bytes: 600_000, wall: 100, cpu: 100 },
    };
    expect(missesOf(slow)).toEqual(['get-confirmation: 46.0 ms of 45']);
    expect(missesOf({ ...slow, lambda: 'schedule-expiry' })).toEqual([]);
  });

  test('misses its ratios to the control; the time counts only for the API', () => {
    const small = { ...good, control: { bytes: 390_000, wall: 59, cpu: 59 } };
    expect(missesOf(small)).toEqual([
      'get-confirmation: too large beside the control',
      'get-confirmation: too slow beside the control',
    ]);
    expect(missesOf({ ...small, lambda: 'schedule-expiry' })).toEqual([
      'schedule-expiry: too large beside the control',
    ]);
  });
});

test('the report shows the ratios of each Lambda and whether the goals are reached', () => {
  const report = render([good], 20);
  expect(report.replaceAll(/ +/g, ' ')).toContain(
    '| get-confirmation | 200.0 | 30.0 | 600.0 | 90.0 | 0.33 | 0.33 | 0.33 |',
  );
  expect(report).toMatch(/\*\*All goals are reached\*\*/);
  expect(render([{ ...good, ours: { bytes: 1, wall: 60, cpu: 60 } }], 20)).toMatch(
    /\*\*Missed goals\*\*.*get-confirmation: 60\.0 ms of 45/s,
  );
});

test('measures every Lambda except those that only a deployment calls', () => {
  expect([...environments.keys()].toSorted()).toEqual(
    bundledLambdas()
      .filter((name) => !deploymentLambdas.includes(name))
      .toSorted(),
  );
});
