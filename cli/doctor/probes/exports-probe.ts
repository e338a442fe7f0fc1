import { exportsPageHeaders } from '../../../pages/exports/headers.ts';
import { checkUrl, faultOfPage } from '../check-url.ts';
import type { Probe } from '../probe.ts';

const deployAgain =
  'Deploy again, and look at two of the stacks: export has the API of tenants, pages has the page.';

const path = '/omi/exports';

const fine = () => undefined;

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
    const page = checkUrl(`${exportsUrl}/`, {
      is: "serves the tenants' page with this version's security headers",
      fault: (response) => faultOfPage(response, exportsPageHeaders, stage),
      fix: deployAgain,
    });
    const way = checkUrl(`${exportsUrl}${path}`, {
      is: 'reaches the API from the page',
      status: 401,
      fault: fine,
      fix: deployAgain,
    });
    return await Promise.all([api, page, way]);
  },
};
