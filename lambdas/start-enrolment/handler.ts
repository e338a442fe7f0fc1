import * as v from 'valibot';
import { qrContent } from '../../core/enrolment/enrolment.ts';
import { startEnrolment, type StartEnrolmentDeps } from '../../core/enrolment/start-enrolment.ts';
import { rfc3339 } from '../../core/kernel/time.ts';
import { json } from '../../core/http/responses.ts';
import { enrolmentBody } from '../../core/http/request-schemas.ts';
import { websiteHandler } from '../../core/http/website-handler.ts';

const request = v.object({ body: enrolmentBody });

export type Deps = StartEnrolmentDeps & { appLink: string; baseUrl: string };

export const createHandler = ({ appLink, baseUrl, ...deps }: Deps) =>
  websiteHandler(request, async ({ body }, context) => {
    const { code, enrolment } = await startEnrolment(deps, body, context);
    return json(201, {
      enrolmentId: enrolment.enrolmentId,
      qr: qrContent(appLink, baseUrl, code),
      expiresAt: rfc3339(enrolment.expiresAt),
    });
  });
