import * as v from 'valibot';
import { codeLifetime, enrolmentIdOf, newCode, qrContent } from '../../core/enrolment/enrolment.ts';
import { rfc3339 } from '../../core/kernel/time.ts';
import { json } from '../../core/http/responses.ts';
import { enrolmentBody } from '../../core/http/request-schemas.ts';
import { websiteHandler } from '../../core/http/website-handler.ts';
import { retryOnConflict } from '../../core/kernel/retry-on-conflict.ts';
import { startEnrolment, type StartEnrolmentDeps } from '../../core/enrolment/start-enrolment.ts';

const request = v.object({ body: enrolmentBody });

export type Deps = StartEnrolmentDeps & { appLink: string; baseUrl: string };

export const createHandler = ({ appLink, baseUrl, ...deps }: Deps) =>
  websiteHandler(request, async ({ body }, { caller, now }) => {
    const code = newCode();
    const enrolmentId = enrolmentIdOf(code);
    const expiresAt = now + codeLifetime;
    const user = { tenantId: caller.tenantId, userId: body.userId };
    const { confirmation } = body;
    await retryOnConflict(
      async () => await startEnrolment(deps, { enrolmentId, user, confirmation, expiresAt, caller, now }),
    );
    return json(201, {
      enrolmentId,
      qr: qrContent(appLink, baseUrl, code),
      expiresAt: rfc3339(expiresAt),
    });
  });
