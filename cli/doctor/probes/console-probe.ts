import * as v from 'valibot';
import { consoleHeaders } from '../../../pages/console/headers.ts';
import { checkUrl, faultOfPage, jsonOf } from '../check-url.ts';
import type { Probe } from '../probe.ts';
import { signInSettings } from '../sign-in-settings.ts';

const deployAgain =
  'Deploy again, and look at two of the stacks: staff has the API of the help desk, pages has the page.';

/** The page of the help desk: how its members sign in, its headers, and its way to the API. */
export const consoleProbe: Probe = {
  name: 'help desk',
  check: async ({ consoleUrl, stage }) => {
    if (consoleUrl === undefined) return [];
    let tokenOrigin: string | undefined;
    const config = await checkUrl(`${consoleUrl}/config.json`, {
      is: 'says how members of staff sign in',
      fault: async (response) => {
        const found = v.safeParse(signInSettings, await jsonOf(response));
        if (!found.success) return 'does not say how members of staff sign in';
        tokenOrigin = new URL(found.output.tokenUrl).origin;
        return undefined;
      },
      fix: deployAgain,
    });
    const page = checkUrl(`${consoleUrl}/`, {
      is: "serves the help desk with this version's security headers",
      fault: (response) => faultOfPage(response, consoleHeaders(tokenOrigin), stage),
      fix: deployAgain,
    });
    const way = checkUrl(`${consoleUrl}/omi/staff/tenants`, {
      is: 'reaches the API, which asks members of staff for a token',
      status: 401,
      fault: () => undefined,
      fix: deployAgain,
    });
    return [config, ...(await Promise.all([page, way]))];
  },
};
