import { readFile } from 'node:fs/promises';
import { describe, expect, test } from '@jest/globals';
import { environments } from '../../bench/cold/environments.ts';
import { type Judged, missesOf, render } from '../../bench/cold/report.ts';
import { blockOf, documentPath } from '../../bench/report/document.ts';
import { bundledLambdas } from '../../bundling/bundle.ts';

const good: Judged = {
  lambda: 'get-confirmation',
  lean: { bytes: 200_000, milliseconds: 30 },
  control: { bytes: 600_000, milliseconds: 90 },
  default: { bytes: 150_000, milliseconds: 95 },
  modules: ['node_modules/@aws-sdk/client-dynamodb/dist-es/index.js'],
};

describe('a Lambda misses', () => {
  test('nothing within every figure', () => {
    expect(missesOf(good)).toEqual([]);
  });

  test('its budget of bytes, which SNS and signatures raise', () => {
    const large = { ...good, lean: { bytes: 230_000, milliseconds: 30 } };
    expect(missesOf(large)).toEqual(['get-confirmation: 230.0 KB of 220.0']);
    const modules = [...good.modules, 'node_modules/@aws-sdk/client-sns/dist-es/index.js'];
    expect(missesOf({ ...large, modules })).toEqual([]);
  });

  test('its time, where a user waits', () => {
    const slow = {
      ...good,
      lean: { bytes: 200_000, milliseconds: 46 },
      control: { bytes: 600_000, milliseconds: 100 },
    };
    expect(missesOf(slow)).toEqual(['get-confirmation: 46.0 ms of 45']);
    expect(missesOf({ ...slow, lambda: 'schedule-expiry' })).toEqual([]);
  });

  test('its shares of the control, that of the time where a user waits', () => {
    const small = { ...good, control: { bytes: 490_000, milliseconds: 59 } };
    expect(missesOf(small)).toEqual([
      'get-confirmation: its share of the control in KB',
      'get-confirmation: its share of the control in ms',
    ]);
    expect(missesOf({ ...small, lambda: 'schedule-expiry' })).toEqual([
      'schedule-expiry: its share of the control in KB',
    ]);
  });
});

describe('the report', () => {
  const headerOf = (report: string): string | undefined =>
    report
      .split('\n')
      .find((line) => line.startsWith('| Lambda'))
      ?.replaceAll(/\s+/g, ' ');

  test('shows each Lambda with its ratios, and says whether the figures are reached', () => {
    const report = render([good], 20);
    expect(report.replaceAll(/ +/g, ' ')).toContain(
      '| get-confirmation | 200.0 | 30.0 | 600.0 | 90.0 | 0.33 | 0.33 | 150.0 | 95.0 |',
    );
    expect(report).toMatch(/Node\.js v24.*Medians of 20 runs/);
    expect(report).toMatch(/\*\*All figures are reached\*\*/);
    expect(render([{ ...good, lean: { bytes: 1, milliseconds: 60 } }], 20)).toMatch(
      /\*\*Figures that are not reached\*\*.*get-confirmation: 60\.0 ms of 45/s,
    );
  });

  test('is what docs/performance.md has, as far as it was written', async () => {
    const block = blockOf(await readFile(documentPath, 'utf8'), 'bench:cold') ?? '';
    if (block !== '') expect(headerOf(block)).toBe(headerOf(render([good], 20)));
  });
});

test('every Lambda that runs while the service does is measured', () => {
  expect([...environments.keys()].toSorted()).toEqual(
    bundledLambdas()
      .filter((name) => name !== 'push-application')
      .toSorted(),
  );
});
