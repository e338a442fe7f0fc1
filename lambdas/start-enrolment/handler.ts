import * as v from 'valibot';
import type { EnrolmentStore } from '../../core/adapters/enrolment-store.ts';
import { codeLifetime, enrolmentIdOf, newCode, qrContent } from '../../core/domain/enrolment.ts';
import { rfc3339 } from '../../core/domain/time.ts';
import { json } from '../../core/http/answers.ts';
import { enrolmentBody } from '../../core/http/request-schemas.ts';
import { websiteHandler } from '../../core/http/website.ts';
import { retryContended } from '../../core/operations/retry-contended.ts';

const request = v.object({ body: enrolmentBody });

export type Deps = { enrolments: EnrolmentStore; appLink: string; baseUrl: string };

export const createHandler = ({ enrolments, appLink, baseUrl }: Deps) =>
  websiteHandler(request, async ({ body }, { caller, now }) => {
    const { tenantId, clientId, settings } = caller;
    const code = newCode();
    const enrolmentId = enrolmentIdOf(code);
    const expiresAt = now + codeLifetime;
    const { maxDevices } = settings;
    const enrolment = { enrolmentId, tenantId, clientId, userId: body.userId, maxDevices, expiresAt };
    await retryContended(async () => await enrolments.create(enrolment));
    return json(201, {
      enrolmentId,
      qr: qrContent(appLink, baseUrl, code),
      expiresAt: rfc3339(expiresAt),
    });
  });
