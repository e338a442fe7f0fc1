/** What a bank's website has already, whatever its framework. Here without a password, and for one process. */
import { Denied, type Session } from '@omi/website';

// Next bundles some files apart from each other, so what they share is global.
const shared = globalThis as typeof globalThis & { bankSessions?: Map<string, Session> };
const sessions = (shared.bankSessions ??= new Map());

/** `POST /sign-in` with the field `userId`. */
export async function signIn(request: Request): Promise<Response> {
  const userId = new URLSearchParams(await request.text()).get('userId') ?? '';
  // A new id at each sign-in: nobody can have planted it in the browser before.
  const id = crypto.randomUUID();
  sessions.set(id, { id, userId });
  const cookie = `session=${id}; Path=/; HttpOnly; SameSite=Strict`;
  return new Response(null, { status: 204, headers: { 'set-cookie': cookie } });
}

/** Who is signed in. */
export function session({ headers }: Request): Session | undefined {
  return sessionOf(/\bsession=([\w-]+)/.exec(headers.get('cookie') ?? '')?.[1]);
}

/** The same, by the value of the cookie. */
export const sessionOf = (id: string | undefined): Session | undefined => sessions.get(id ?? '');

/** What the user is asked before a payment, from the fields of its form; or why the bank does not pay. */
export async function message(request: Request): Promise<string | Denied> {
  const form = new URLSearchParams(await request.text());
  const [amount, to] = [form.get('amount') ?? '', form.get('to') ?? ''];
  if (!/^\d{1,4}$/.test(amount) || to === '') return new Denied('We pay 1 to 9999 €, to somebody.');
  return `Pay ${amount} € to ${to}?`;
}
