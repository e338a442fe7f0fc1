import * as v from 'valibot';
import { type PreviewDeps, previewEnrolment } from '../../core/enrolment/preview-enrolment.ts';
import type { Handler } from '../../core/http/api-lambda.ts';
import { parseRequest } from '../../core/http/parse-request.ts';
import { previewBody } from '../../core/http/request-schemas.ts';
import { json } from '../../core/http/responses.ts';

const request = v.object({ body: previewBody });

export const createHandler =
  (deps: PreviewDeps): Handler =>
  async (event) => {
    const { body } = parseRequest(request, { body: event.body });
    return json(200, await previewEnrolment(deps, body.code, Date.now()));
  };
