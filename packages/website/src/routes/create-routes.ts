import { OmiError } from '../omi-error.ts';
import { json, noContent } from './answers.ts';
import { confirmationIdOf } from './confirmation-id.ts';
import { confirmationRoutes } from './confirmation-routes.ts';
import { Confirmations } from './confirmations.ts';
import { takeOnce, usable } from './consume.ts';
import { Denied } from './denied.ts';
import { Devices } from './devices.ts';
import { enrolmentRoutes } from './enrolment-routes.ts';
import { Enrolments } from './enrolments.ts';
import { answerTo } from './failures.ts';
import { dispatch, type Handler, type Table } from './handler.ts';
import type { Consumed, Routes, RoutesOptions } from './options.ts';
import { pageHandlers } from './page.ts';
import { isSameQuestion, type Question, questionOf } from './question.ts';
import { Refused } from './refused.ts';
import { reporter } from './reporter.ts';
import { requestOriginOf } from './request-origin.ts';
import type { Service } from './service.ts';
import { ownerOf, type Session } from './session.ts';

/** What the elements talk to: a function from a request to its response. */
export function createRoutes<Signed extends Session>(
  service: Service,
  options: RoutesOptions<Signed>,
): Routes<Signed> {
  const { store, now = service.now, path = '/omi', requestedFrom = requestOriginOf } = options;
  const onError = reporter(options.onError);
  const around = { service, store, now, onError, knownKeys: options.knownKeys };
  const confirmations = new Confirmations(around);
  const enrolments = new Enrolments(around);
  const devices = new Devices(around);

  /** The website's own function gets a clone, so that others can read the request as well. */
  const ask = async (request: Request, session: Signed): Promise<Question> =>
    questionOf(await options.message(request.clone(), session));

  const askFromPage = async (request: Request, session: Signed): Promise<Question> => {
    const question = await ask(request, session);
    return { requestedFrom: await requestedFrom(request.clone(), session), ...question };
  };

  const page = pageHandlers(options);
  const confirmation = confirmationRoutes({
    ...{ confirmations, devices, now },
    ...{ ask: askFromPage, appLink: options.appLink },
  });
  const { enrolment: mayEnrol, accountLabel: labelOf } = options;
  const enrolment = enrolmentRoutes({ confirmations, enrolments, now, mayEnrol, labelOf });

  const receive: Handler = async (request) => {
    const { data } = await service.verifyCallback(request).catch((error: unknown) => {
      if (!(error instanceof OmiError)) throw error;
      onError(error);
      throw new Refused(400, 'invalid-callback', 'The body is not a call-back of the service.');
    });
    await confirmations.report(data.challengeId, data);
    return noContent();
  };

  const table: Table = {
    devices: {
      GET: page(async ({ session: { userId } }) => json(200, { devices: await devices.list(userId) })),
    },
    confirmations: {
      POST: page(confirmation.ask),
      DELETE: page(async ({ session: { userId } }) => {
        await service.withdrawAll(userId);
        return noContent();
      }),
    },
    'confirmations/': { GET: page(confirmation.look), DELETE: page(confirmation.withdraw) },
    enrolments: { POST: page(enrolment.start) },
    'enrolments/': { GET: page(enrolment.look) },
    ...(service.hasCallbacks && { callback: { POST: receive } }),
  };

  const routes = async (request: Request): Promise<Response> => {
    try {
      return await dispatch(table, path.replace(/\/+$/, ''), request);
    } catch (error) {
      return answerTo(error, onError);
    }
  };

  const consume = async (request: Request, session: Signed): Promise<Consumed> => {
    const id = await confirmationIdOf(request);
    if (id === undefined)
      throw new Denied('The request has no confirmation.', { code: 'confirmation-missing' });
    const question = await ask(request, session);
    const { confirmation: confirmed } = await usable(
      confirmations,
      { id, owner: await ownerOf(session), allows: (asked) => isSameQuestion(asked.question, question) },
      now(),
    );
    await takeOnce(confirmations, id);
    const { message, details } = question;
    return { message, ...(details && { details }), confirmation: confirmed };
  };

  return Object.assign(routes, { consume });
}
