import * as v from 'valibot';
import type { EnrolmentStore } from '../../core/enrolment/enrolment-store.ts';
import { deviceView } from '../../core/devices/device.ts';
import { sha256Text } from '../../core/kernel/identifiers.ts';
import { Refusal } from '../../core/kernel/refusal.ts';
import { json } from '../../core/http/responses.ts';
import { enrolmentQuery } from '../../core/http/request-schemas.ts';
import { websiteHandler } from '../../core/http/website-handler.ts';

const request = v.object({ query: enrolmentQuery });

export type Deps = { enrolments: EnrolmentStore };

export const createHandler = ({ enrolments }: Deps) =>
  websiteHandler(request, async ({ query: { enrolmentId } }, { caller, now }) => {
    const enrolment = v.is(sha256Text, enrolmentId) ? await enrolments.find(enrolmentId, now) : undefined;
    if (enrolment?.tenantId !== caller.tenantId) {
      throw new Refusal('enrolment-not-found', 'There is no such enrolment.');
    }
    const { completed } = enrolment;
    return json(200, {
      status: await enrolments.statusOf(enrolment, now),
      ...(completed && { device: deviceView(completed.device, completed) }),
    });
  });
