import type { Brand } from '../brand.ts';
import type { Confirmed, RequestOrigin } from '../types.ts';
import type { Denied } from './denied.ts';
import type { Question } from './question.ts';
import type { Session } from './session.ts';
import type { Store } from './store.ts';

type Awaitable<Value> = Value | Promise<Value>;

export type RoutesOptions<Signed extends Session = Session, Native = unknown> = {
  /**
   * Who is signed in. Nobody: the answer is 401. `native` is what the routes were called with beside the web request: the framework's
   * own request, on which a middleware has put the session (`req.session`, `req.user`). `toNodeHandler` passes it on.
   */
  session: (request: Request, native: Native) => Awaitable<Signed | null | undefined>;
  /**
   * What the user is asked for an action. It reads the action's fields from the request, checks whether this user may do it, and is
   * called twice: when the page asks, and with the action itself. The same fields must give the same message.
   */
  message: (request: Request, session: Signed) => Awaitable<string | Question | Denied>;
  store: Store;
  /**
   * Where the user's request comes from, which the device shows: by default what {@link requestOriginOf} reads. What
   * {@link message} returns as `requestedFrom` comes first.
   */
  requestedFrom?: ((request: Request, session: Signed) => Awaitable<RequestOrigin | undefined>) | undefined;
  /** Where the routes are: `/omi` by default. */
  path?: string | undefined;
  /**
   * Whether this session may enrol a device: returns or throws {@link Denied} if not. `confirmed` is true if the user confirmed the
   * purpose `add-device` just now. Without this function, the tenant's setting for further devices decides alone.
   */
  enrolment?:
    | ((request: Request, session: Signed, context: { confirmed: boolean }) => Awaitable<unknown>)
    | undefined;
  /**
   * What apps show in place of the user's id, such as "Anna · …4711": the user knows the account by it before a device is enrolled. It
   * is asked for with each enrolment. Without it, the user's label stays as it is.
   */
  accountLabel?: ((session: Signed) => Awaitable<string | undefined>) | undefined;
  /**
   * Where the app's link leads, such as `https://app.example.org`: the operator names it. With it, `<omi-confirmation>` on a phone offers to
   * open the app with the request.
   */
  appLink?: string | undefined;
  /**
   * The brand whose colour the elements have, such as `() => omi.brand()`: the tenant's, or else that of the users' app. Its contrast
   * is kept, whatever the colour. Styles of the page come first.
   */
  brand?: (() => Awaitable<Brand | undefined>) | undefined;
  /**
   * Seconds that the answer to a page's look may wait for the user's answer, if callbacks come: 10 by default. 0, where a server may not
   * hold calls: the page then looks once a second.
   */
  longPollSeconds?: number | undefined;
  /**
   * Thumbprints of a user's keys (`keyThumbprint`), for websites that keep them since the enrolments. Only these keys may then confirm.
   * Without this function, or with `undefined` for a user, the service's receipt of the enrolment is enough.
   */
  knownKeys?: ((userId: string) => Awaitable<readonly string[] | undefined>) | undefined;
  /** The website's origins as browsers see them, behind a proxy that changes scheme or host. By default, that of the request. */
  origin?: string | readonly string[] | undefined;
  /** Faults of the service, the store and the website, and evidence that proves nothing. By default they go to the console. */
  onError?: ((error: unknown) => void) | undefined;
  /** The clock, in milliseconds since 1970. By default that of `omi`. */
  now?: (() => number) | undefined;
};

/** What the user confirmed. */
export type Consumed = Pick<Question, 'message' | 'details'> & { confirmation: Confirmed };

/** What the elements talk to. */
export type Routes<Signed extends Session = Session, Native = unknown> = {
  /** `native` is for {@link RoutesOptions.session}, and needed if that reads it. */
  (
    request: Request,
    ...native: unknown extends Native ? [native?: unknown] : [native: Native]
  ): Promise<Response>;
  /**
   * Uses the confirmation of an action, before the action is carried out: it works once. The id is in the field `omi-confirmation`
   * of the request's form or JSON body, or in the header `Omi-Confirmation`. The request can still be read. A server action has the form
   * alone: {@link RoutesOptions.message} then gets a request with its fields, without files, and nothing else.
   *
   * @throws {Denied} if nobody is signed in (`signed-out`, 401), or if this session's user did not confirm this very action in the last
   *   2 minutes
   */
  consume(action: Request | FormData, session: Signed | null | undefined): Promise<Consumed>;
};
