import type { Finding, Probe } from '../probe.ts';

const timeoutMs = 10_000;

type Call = { what: string; headers: Record<string, string>; rejects: string; fix: string };

const deployment =
  'Look at the stacks api and live in CloudFormation, and at the domain name if there is one.';

/** The log tells two causes apart: the authorizer fails, or API Gateway does not turn its answer into a 401. */
const authorizer =
  'Look at the log of the Lambda authorize. With "fault", or no line: it cannot start, or fails. With "unauthenticated": ' +
  'API Gateway does not answer 401. Set "unauthorizedBy": "lambda" (the default) under "api" in the settings of the stage, ' +
  'and deploy.';

/** Calls that must be rejected: without a token by the gateway, and with an invalid token by the authorizer. */
const calls: readonly Call[] = [
  { what: 'a call without a token', headers: {}, rejects: 'asks for a token', fix: deployment },
  {
    what: 'an invalid token',
    headers: { authorization: 'Bearer doctor' },
    rejects: 'rejects an invalid token',
    fix: authorizer,
  },
];

async function checkCall(subject: string, { what, headers, rejects, fix }: Call): Promise<Finding> {
  try {
    const signal = AbortSignal.timeout(timeoutMs);
    const { status } = await fetch(`${subject}/omi/users/doctor/devices`, { signal, headers });
    if (status === 401) return { subject, ok: true, detail: `answers, and ${rejects}` };
    return { subject, ok: false, detail: `answers ${status} to ${what}, not 401`, fix };
  } catch (error) {
    const detail = `does not answer ${what}: ${error instanceof Error ? error.message : ''}`;
    return { subject, ok: false, detail, fix: deployment };
  }
}

/** The API answers, and rejects calls without a valid token. */
export const apiProbe: Probe = {
  name: 'api',
  check: async ({ baseUrl }) => await Promise.all(calls.map(async (call) => await checkCall(baseUrl, call))),
};
