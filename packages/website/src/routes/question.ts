import type { AuthorizationDetail, Purpose, RequestOrigin } from '../types.ts';
import { Denied } from './denied.ts';

/** What the user is asked. */
export type Question = {
  /** What the user agrees to. It says everything that the action depends on, such as the amount and the payee. */
  message: string;
  details?: readonly AuthorizationDetail[] | undefined;
  purpose?: Purpose | undefined;
  /** The device that the confirmation removes: with the purpose `remove-device`, which needs it. */
  subjectDeviceId?: string | undefined;
  /** Where the user's request came from: the device shows it. */
  requestedFrom?: RequestOrigin | undefined;
  /** Where the app leads the user back to, if your page is open on the same phone: of an origin that is registered for the client. */
  returnTo?: string | undefined;
  /** Seconds in which the user may answer. */
  expiresIn?: number | undefined;
};

/** @throws {Denied} that the website returned */
export function questionOf(answer: string | Question | Denied): Question {
  if (answer instanceof Denied) throw answer;
  return typeof answer === 'string' ? { message: answer } : answer;
}

/** Whether both allow the same. The time to answer and the origin of the request do not count. */
export const isSameQuestion = (one: Question, other: Question): boolean => said(one) === said(other);

const said = ({ message, details, purpose, subjectDeviceId }: Question): string =>
  JSON.stringify([message, details, purpose, subjectDeviceId]);
