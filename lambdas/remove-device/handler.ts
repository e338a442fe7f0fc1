import * as v from 'valibot';
import { noContent } from '../../core/http/responses.ts';
import { devicePath, removalQuery } from '../../core/http/request-schemas.ts';
import { websiteHandler } from '../../core/http/website-handler.ts';
import { removeDeviceForWebsite } from '../../core/enrolment/remove-device-for-website.ts';
import type { RemoveDeps } from '../../core/enrolment/remove-device.ts';

const request = v.object({ path: devicePath, query: removalQuery });

export const createHandler = (deps: RemoveDeps) =>
  websiteHandler(request, async ({ path, query }, context) => {
    await removeDeviceForWebsite(deps, { ...path, confirmation: query.confirmation }, context);
    return noContent;
  });
