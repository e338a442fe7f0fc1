/** Runs the command as its users do, and reads its report. */
import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { expect } from '@jest/globals';
import type { Report } from '../../../../packages/device/conformance/suite.ts';
import { websiteVariables } from '../../../../client/website-variables.ts';
import { newUser, startEnrolment } from '../../../contract/scenario.ts';
import type { TestStack } from '../../../support/stack.ts';

export type Ended = { code: number | null; out: string; err: string };

const program = 'packages/device/conformance/bin.ts';

export async function conformance(args: readonly string[], env: Record<string, string> = {}): Promise<Ended> {
  const child = spawn(process.execPath, [program, 'conformance', ...args], {
    env: { ...process.env, ...env },
  });
  child.stdin.end();
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const [out, err, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  return { code, out, err };
}

/** The options and variables with which the suite also asks on the stack. */
export async function onStack(stack: TestStack): Promise<[string[], Record<string, string>]> {
  const { qr } = await startEnrolment(stack.website, newUser());
  const [client] = stack.file.tenants;
  return [['--link', qr, '--ask'], websiteVariables({ ...stack.file, ...client })];
}

export const reportIn = ({ out }: Ended): Report => JSON.parse(out) as Report;

/** @param skipped beginnings of the ids that the device does not do */
export function expectConformance(ended: Ended, skipped: readonly string[] = []): void {
  if (ended.code === 2) throw new Error(ended.err);
  const { findings } = reportIn(ended);
  const isOf = (outcome: string) => findings.filter((finding) => finding.outcome === outcome);
  expect(isOf('failed')).toEqual([]);
  const others = isOf('skipped').filter(({ id }) => !skipped.some((start) => id.startsWith(start)));
  expect(others).toEqual([]);
  expect(findings.length).toBeGreaterThan(60);
  expect(ended.code).toBe(0);
}
