import { setTimeout as wait } from 'node:timers/promises';
import type { Answer } from '../../../client/http.ts';
import { longestWaitMs } from '../../support/waiting.ts';
import { expectProblem, retryAfterOf } from '../expectations.ts';

/** What a good caller does: on 503 it waits as it is told and sends the same again, however often a busy machine has it do so. */
export async function patiently<Body>(call: () => Promise<Answer<Body>>): Promise<Answer<Body>> {
  const end = Date.now() + longestWaitMs;
  for (;;) {
    const answer = await call();
    if (answer.status !== 503 || Date.now() > end) return answer;
    expectProblem(answer, 503, 'temporarily-unavailable');
    await wait(Math.min(retryAfterOf(answer), 5) * 1000);
  }
}
