import * as v from 'valibot';
import type { EnrolmentStore } from '../../core/adapters/enrolment-store.ts';
import { deviceView } from '../../core/domain/device.ts';
import { enrolmentStatus } from '../../core/domain/enrolment.ts';
import { sha256Text } from '../../core/domain/identifiers.ts';
import { Refusal } from '../../core/domain/refusal.ts';
import { json } from '../../core/http/answers.ts';
import { enrolmentQuery } from '../../core/http/request-schemas.ts';
import { websiteHandler } from '../../core/http/website.ts';

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
      status: enrolmentStatus(enrolment, now),
      ...(completed && { device: await deviceView(completed.device, completed.key) }),
    });
  });
