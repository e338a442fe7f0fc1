import { expect } from '@jest/globals';
import type { WebsiteClient } from '../../../../tools/client/website-client.ts';
import { newUser, startEnrolment } from '../../../contract/scenario.ts';
import { RunningPhone } from './running-phone.ts';

export async function linkFor(website: WebsiteClient, userId = newUser()) {
  const { qr } = await startEnrolment(website, userId);
  return { userId, qr };
}

/** A phone that runs, and its user. */
async function runningPhone(website: WebsiteClient, ...args: string[]) {
  const { userId, qr } = await linkFor(website);
  const phone = new RunningPhone(qr, ...args);
  await phone.says('Waiting for challenges');
  return { phone, userId };
}

export async function disposable(website: WebsiteClient, ...args: string[]) {
  const started = await runningPhone(website, ...args);
  return { ...started, [Symbol.asyncDispose]: async () => await started.phone[Symbol.asyncDispose]() };
}

/** One paragraph for a person: no stack trace, no code of a program. */
export const expectPlain = (output: string): void => expect(output).not.toMatch(/\n\s+at |Error:|node:/);
