import type { Check } from '../check.ts';

const timeout = 10_000;

/** Without a token it must answer 401, which the gateway does: it is there, and closed. */
export const api: Check = {
  name: 'api',
  look: async ({ baseUrl }) => {
    const mend = 'Look at the stack in CloudFormation, and at the domain if it has one of its own.';
    try {
      const { status } = await fetch(`${baseUrl}/omi/users/doctor/devices`, {
        signal: AbortSignal.timeout(timeout),
      });
      if (status === 401) return [{ subject: baseUrl, ok: true, detail: 'answers, and asks for a token' }];
      return [
        { subject: baseUrl, ok: false, detail: `answers ${status} to a call without a token, not 401`, mend },
      ];
    } catch (error) {
      const detail = `does not answer: ${error instanceof Error ? error.message : ''}`;
      return [{ subject: baseUrl, ok: false, detail, mend }];
    }
  },
};
