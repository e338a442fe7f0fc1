import { OmiError } from '../omi-error.ts';
import { json, noContent } from './answers.ts';
import { confirmationIdOf } from './confirmation-id.ts';
import { type Accent, accentOf } from '../brand.ts';
import { confirmationRoutes } from './confirmation-routes.ts';
import { Confirmations } from './confirmations.ts';
import { takeOnce, usable } from './consume.ts';
import { Denied } from './denied.ts';
import { Devices } from './devices.ts';
import { enrolmentRoutes } from './enrolment-routes.ts';
import { Enrolments } from './enrolments.ts';
import { answerTo } from './failures.ts';
import { dispatch, type Handler, type Table } from './handler.ts';
import type { Routes, RoutesOptions } from './options.ts';
import { pageHandlers } from './page.ts';
import { isSameQuestion, type Question, questionOf } from './question.ts';
import { Refused } from './refused.ts';
import { reporter } from './reporter.ts';
import { requestOriginOf } from './request-origin.ts';
import type { Service } from './service.ts';
import { ownerOf, type Session, signedIn } from './session.ts';
import { isSentByBrowser, pageWithoutScript } from './without-script.ts';

/**
 * A request with the fields of a form, as `<omi-confirmation>` sends them: files are left out, so that the message is the same at both
 * times.
 */
const requestOf = (form: FormData): Request =>
  new Request('https://form.invalid', {
    method: 'POST',
    body: new URLSearchParams(
      [...form].filter((field): field is [string, string] => typeof field[1] === 'string'),
    ),
  });

const defaultLongPollSeconds = 10;

/** What the elements talk to: a function from a request to its response. */
export function createRoutes<Signed extends Session, Native = unknown>(
  service: Service,
  options: RoutesOptions<Signed, Native>,
): Routes<Signed, Native> {
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

  /** Without it the page has the element's own colours. */
  const accent = async (): Promise<Accent | undefined> => {
    try {
      return accentOf(await options.brand?.());
    } catch (error) {
      onError(error);
      return undefined;
    }
  };

  const page = pageHandlers(options);
  const confirmation = confirmationRoutes({
    ...{ confirmations, devices, now },
    ...{ ask: askFromPage, appLink: options.appLink },
    longPollSeconds: service.hasCallbacks ? (options.longPollSeconds ?? defaultLongPollSeconds) : 0,
  });
  const { enrolment: mayEnrol, accountLabel: labelOf } = options;
  const enrolment = enrolmentRoutes({ confirmations, enrolments, now, mayEnrol, labelOf, accent });

  const receive: Handler<Native> = async (request) => {
    const { data } = await service.verifyCallback(request).catch((error: unknown) => {
      if (!(error instanceof OmiError)) throw error;
      onError(error);
      throw new Refused(400, 'invalid-callback', 'The body is not a callback of the service.');
    });
    // The routes ask no groups.
    if ('challengeId' in data) await confirmations.report(data.challengeId, data);
    return noContent();
  };

  const table: Table<Native> = {
    devices: {
      GET: page(async ({ session: { userId } }) => {
        const [list, brand] = await Promise.all([devices.list(userId), accent()]);
        return json(200, { devices: list, brand });
      }),
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

  const routes = async (request: Request, native?: unknown): Promise<Response> => {
    try {
      // The type of the routes demands it wherever `session` does.
      return await dispatch(table, path.replace(/\/+$/, ''), request, native as Native);
    } catch (error) {
      return answerTo(error, onError);
    }
  };

  const consume: Routes<Signed>['consume'] = async (action, visitor) => {
    const session = signedIn(visitor);
    const request = 'url' in action ? action : requestOf(action);
    const id = await confirmationIdOf(request);
    if (id === undefined)
      throw new Denied('The request has no confirmation.', {
        code: 'confirmation-missing',
        ...(isSentByBrowser(request) && { html: pageWithoutScript(request) }),
      });
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
