import type { Confirmation } from '../types.ts';
import { deviceNameOf } from '../user-agent.ts';
import { json, noContent } from './answers.ts';
import type { Confirmations, State } from './confirmations.ts';
import type { Devices } from './devices.ts';
import { isId } from './ids.ts';
import type { PageCall } from './page.ts';
import type { Question } from './question.ts';
import type { AskedRecord } from './records.ts';
import { Refused } from './refused.ts';
import type { Session } from './session.ts';

type Parts<Signed extends Session> = {
  confirmations: Confirmations;
  devices: Devices;
  now: () => number;
  ask: (request: Request, session: Signed) => Promise<Question>;
  /** Seconds that the answer to a page's look may wait for the end. */
  longPollSeconds: number;
  appLink: string | undefined;
};

/** What stands before a server often ends calls after half a minute. */
const longestPollSeconds = 25;

export function confirmationRoutes<Signed extends Session>({
  confirmations,
  devices,
  now,
  ask,
  appLink,
  longPollSeconds,
}: Parts<Signed>) {
  const left = (endsAt: number): number => Math.max(0, Math.round(endsAt - now()));

  const found = async ({ id, owner }: PageCall<Signed>): Promise<AskedRecord> => {
    const asked = isId(id) ? await confirmations.find(id, owner) : undefined;
    if (asked) return asked;
    throw new Refused(404, 'confirmation-not-found', 'There is no such confirmation.');
  };

  return {
    ask: async ({ request, session, owner }: PageCall<Signed>) => {
      const deviceId = deviceOf(request);
      const question = await ask(request, session);
      const { userId } = session;
      const [sent] = await Promise.all([
        confirmations.send({ owner, userId, deviceId, question }, request.signal),
        // At the same time, so that it costs no time below.
        devices.names(userId),
      ]);
      const page = forPage(sent.confirmation);
      const deviceName = page.deviceId && (await devices.names(userId, page.deviceId))[page.deviceId];
      return json(201, {
        id: sent.id,
        ...page,
        ...(longPollSeconds > 0 && { interval: 0 }),
        deviceName,
        perhapsHere: isNameOfThis(request, deviceName) || undefined,
        message: question.message,
        // A number to compare must stay in view.
        appUrl: page.matchCode === undefined ? appUrlOf(appLink, sent.confirmation) : undefined,
        expiresInMs: left(sent.endsAt),
      });
    },

    look: async (call: PageCall<Signed>) => {
      const asked = await found(call);
      const waitMs = Math.min(longPollSeconds, longestPollSeconds, secondsIn(call.request)) * 1000;
      const state =
        waitMs > 0
          ? await confirmations.wait(call.id, asked, waitMs)
          : await confirmations.look(call.id, asked);
      return json(200, { id: call.id, ...pageState(state, left), ...(waitMs > 0 && { interval: 0 }) });
    },

    withdraw: async (call: PageCall<Signed>) => {
      await confirmations.withdraw(call.id, await found(call));
      return noContent();
    },
  };
}

/** Whether the web app would name the page's own browser so. Another one of its kind has the same name. */
const isNameOfThis = ({ headers }: Request, deviceName: string | undefined): boolean =>
  deviceName === deviceNameOf(headers.get('user-agent') ?? '');

/** How long the page waits for the answer. */
function secondsIn(request: Request): number {
  const seconds = new URL(request.url).searchParams.get('wait') ?? '';
  return /^\d{1,2}$/.test(seconds) ? Number(seconds) : 0;
}

/** It names the request, and can answer nothing: the app needs the key of the device. */
const appUrlOf = (appLink: string | undefined, { challengeId }: Confirmation): string | undefined =>
  appLink && `${appLink.replace(/\/$/, '')}/#/challenge/${challengeId}`;

/** Neither nonce nor evidence. */
const forPage = ({ deviceId, status, delivery, expiresAt, interval, matchCode }: Confirmation) => ({
  deviceId,
  status,
  delivery,
  expiresAt,
  interval,
  matchCode,
});

/** The device that the page names. Anything but a UUID could change the path of the call to the service. */
function deviceOf(request: Request): string | undefined {
  const device = new URL(request.url).searchParams.get('device');
  if (device === null || /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(device)) return device ?? undefined;
  throw new Refused(404, 'device-not-found', 'There is no such device.');
}

function pageState(state: State, left: (endsAt: number) => number): object {
  if (!('endsAt' in state)) {
    const { status, reason, code } = state;
    return { status, reason, code, expiresInMs: 0, interval: 1 };
  }
  const { status, endsAt, interval } = state;
  return { status, expiresInMs: left(endsAt), interval };
}
