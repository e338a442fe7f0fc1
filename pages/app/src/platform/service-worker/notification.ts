import type { StoredBrand } from '../brands.ts';
import type { Action } from './answering.ts';
import { textsIn } from './texts.ts';

/** `answered`: the question that another device has answered. */
export type Shown = { title: string; options: Options; answered?: string | undefined };

/** Actions and vibration are not in the types of all versions of the DOM. */
type Options = Omit<NotificationOptions, 'data'> & {
  data: NotificationData;
  actions: { action: Action; title: string }[];
  vibrate?: number[];
};

/** Two short ones, in milliseconds: somebody waits for an answer. */
const vibration = [120, 80, 120];

/** What a click on the notification needs. */
export type NotificationData = { challengeId?: string };

/** Longer texts are cut by every system, most of them far earlier. */
const longestCharacters = 1024;

/**
 * Milliseconds after which a challenge is called expired. A device's clock may be wrong by minutes, and a push service
 * drops what has expired: it is better to ask the service in vain than to hide a question.
 */
const toleranceMs = 5 * 60_000;

/**
 * The notification for a push: Declarative Web Push, as JSON. Every push has one, whatever it holds: browsers end the
 * subscription of an app that shows none.
 */
export function notificationOf(
  text: string | undefined,
  now: number,
  { languages, brand }: { languages: readonly string[]; brand?: StoredBrand | undefined },
): Shown {
  const texts = textsIn(languages);
  const { title, body, tag, data } = read(text);
  const challengeId = challengeIdOf(data?.['challengeId']);
  const expiresAt = Date.parse(textOf(data?.['expiresAt']) ?? '');
  const isExpired = expiresAt + toleranceMs < now;
  // Another device answered: there is nothing to open.
  const answered = data?.['notice'] === 'answered' ? challengeId : undefined;
  const open = answered === undefined ? challengeId : undefined;
  const isQuestion = open !== undefined && !isExpired;
  const actions: Action[] = data?.['inApp'] === true ? ['deny'] : ['confirm', 'deny'];
  return {
    title: titleWith(title ?? texts.title, brand),
    answered,
    options: {
      body: isExpired ? texts.expired : (body ?? texts.body),
      // A repeated push replaces the notification of the first.
      tag: challengeId ?? tag ?? 'omi',
      data: open === undefined ? {} : { challengeId: open },
      icon: brand?.icon ?? '/icons/icon-192.png',
      badge: '/icons/badge-96.png',
      requireInteraction: isQuestion,
      actions: isQuestion ? actions.map((action) => ({ action, title: texts[action] })) : [],
      ...(isQuestion && { vibrate: vibration }),
    },
  };
}

/** The registered name comes first: it is what the device signs. */
const titleWith = (title: string, brand: StoredBrand | undefined): string =>
  brand && brand.name !== title ? `${title} · ${brand.name}` : title;

/** What a push says of who asks: the registered name of the tenant. */
export const tenantIn = (text: string | undefined): string | undefined => read(text).title;

type Read = { title?: string; body?: string; tag?: string; data?: Record<string, unknown> };

/** The members that are as they should be. */
function read(text: string | undefined): Read {
  const message = objectOf(parse(text ?? ''));
  if (message?.['web_push'] !== 8030) return {};
  const { title, body, tag, data } = objectOf(message['notification']) ?? {};
  const texts = Object.entries({ title, body, tag }).map(([name, value]) => [name, textOf(value)] as const);
  return {
    ...Object.fromEntries(texts.filter(([, value]) => value !== undefined)),
    data: objectOf(data) ?? {},
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const objectOf = (value: unknown): Record<string, unknown> | undefined =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value.slice(0, longestCharacters) : undefined;

/** A base64url SHA-256. It becomes a part of an address. */
const challengeIdOf = (value: unknown): string | undefined =>
  typeof value === 'string' && /^[\w-]{43}$/.test(value) ? value : undefined;
