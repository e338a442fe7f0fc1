import * as v from 'valibot';
import { exportsPageHeaders } from '../../../pages/exports/headers.ts';
import { checkUrl, faultOfPage, jsonOf } from '../check-url.ts';
import type { Probe } from '../probe.ts';
import { signInSettings } from '../sign-in-settings.ts';

const deployAgain =
  'Deploy again, and look at two of the stacks: export has the API of tenants, pages has the page.';

const path = '/omi/exports';

const fine = () => undefined;

const settings = v.object({ signIn: v.optional(signInSettings) });

/** The API by which tenants steer their exports, and their page with its way to this API. */
export const exportsProbe: Probe = {
  name: 'exports',
  check: async ({ baseUrl, exportsUrl, stage }) => {
    const api = checkUrl(`${baseUrl}${path}`, {
      is: 'asks tenants for a token',
      status: 401,
      fault: fine,
      fix: deployAgain,
    });
    if (exportsUrl === undefined) return [await api];
    let tokenOrigin: string | undefined;
    const config = await checkUrl(`${exportsUrl}/config.json`, {
      is: "has the settings of the tenants' page",
      fault: async (response) => {
        const found = v.safeParse(settings, await jsonOf(response));
        if (!found.success) return "does not have the settings of the tenants' page";
        const { signIn } = found.output;
        tokenOrigin = signIn && new URL(signIn.tokenUrl).origin;
        return undefined;
      },
      fix: deployAgain,
    });
    const page = checkUrl(`${exportsUrl}/`, {
      is: "serves the tenants' page with this version's security headers",
      fault: (response) => faultOfPage(response, exportsPageHeaders(tokenOrigin), stage),
      fix: deployAgain,
    });
    const way = checkUrl(`${exportsUrl}${path}`, {
      is: 'reaches the API from the page',
      status: 401,
      fault: fine,
      fix: deployAgain,
    });
    return [config, ...(await Promise.all([api, page, way]))];
  },
};
