import type { Check, Finding } from '../check.ts';

const timeout = 10_000;

type Call = { what: string; headers: Record<string, string>; refuses: string; fix: string };

const deployment = 'Look at the stack in CloudFormation, and at the domain if it has one of its own.';

/** The log tells two causes apart: the authorizer fails, or API Gateway does not turn its answer into a 401. */
const authorizer =
  'Look at the log of the Lambda authorize. With "fault", or no line: it cannot start, or fails. With "unauthenticated": ' +
  'API Gateway does not answer 401. Set "unauthorizedBy": "lambda" (the default) under "api" of the stage in cdk.json, ' +
  'and deploy.';

/** What must be refused: without a token by the gateway itself, with an invalid one by the authorizer behind it. */
const calls: readonly Call[] = [
  { what: 'a call without a token', headers: {}, refuses: 'asks for a token', fix: deployment },
  {
    what: 'an invalid token',
    headers: { authorization: 'Bearer doctor' },
    refuses: 'rejects an invalid token',
    fix: authorizer,
  },
];

async function look(subject: string, { what, headers, refuses, fix }: Call): Promise<Finding> {
  try {
    const signal = AbortSignal.timeout(timeout);
    const { status } = await fetch(`${subject}/omi/users/doctor/devices`, { signal, headers });
    if (status === 401) return { subject, ok: true, detail: `answers, and ${refuses}` };
    return { subject, ok: false, detail: `answers ${status} to ${what}, not 401`, fix };
  } catch (error) {
    const detail = `does not answer ${what}: ${error instanceof Error ? error.message : ''}`;
    return { subject, ok: false, detail, fix: deployment };
  }
}

/** It is there, and closed. */
export const api: Check = {
  name: 'api',
  look: async ({ baseUrl }) => await Promise.all(calls.map(async (call) => await look(baseUrl, call))),
};
