import type { Accent } from '../brand.ts';
import { json } from './answers.ts';
import type { Confirmations } from './confirmations.ts';
import { takeOnce, usable, type Usable } from './consume.ts';
import { Denied } from './denied.ts';
import type { Enrolments } from './enrolments.ts';
import { isId } from './ids.ts';
import type { RoutesOptions } from './options.ts';
import type { PageCall } from './page.ts';
import { Refused } from './refused.ts';
import type { Session } from './session.ts';

type Parts<Signed extends Session> = {
  confirmations: Confirmations;
  enrolments: Enrolments;
  now: () => number;
  mayEnrol: RoutesOptions<Signed>['enrolment'];
  labelOf: RoutesOptions<Signed>['accountLabel'];
  accent: () => Promise<Accent | undefined>;
};

export function enrolmentRoutes<Signed extends Session>(parts: Parts<Signed>) {
  const { confirmations, enrolments, now, mayEnrol, labelOf, accent } = parts;

  /** The confirmation that the page names: of this session, and for a further device. */
  const confirmationOf = async (request: Request, owner: string): Promise<Usable | undefined> => {
    const id = await confirmationIn(request);
    if (id === undefined) return undefined;
    const allows = ({ question }: Usable['asked']): boolean => question.purpose === 'add-device';
    try {
      return await usable(confirmations, { id, owner, allows }, now());
    } catch (error) {
      if (!(error instanceof Denied)) throw error;
      throw new Denied(error.message, { code: 'confirmation-required' });
    }
  };

  return {
    start: async ({ request, session, owner }: PageCall<Signed>) => {
      const confirmed = await confirmationOf(request, owner);
      const decision = await mayEnrol?.(request.clone(), session, { confirmed: confirmed !== undefined });
      if (decision instanceof Denied) throw decision;
      const accountLabel = await labelOf?.(session);
      if (confirmed) await takeOnce(confirmations, confirmed.id);
      const { userId } = session;
      const confirmation = confirmed?.asked.nonce;
      const [started, brand] = await Promise.all([
        enrolments.start(owner, { userId, accountLabel, confirmation }),
        accent(),
      ]);
      return json(201, { ...started, brand });
    },

    look: async ({ id, owner }: PageCall<Signed>) => {
      const enrolmentId = isId(id) ? await enrolments.find(id, owner) : undefined;
      if (enrolmentId === undefined)
        throw new Refused(404, 'enrolment-not-found', 'There is no such enrolment.');
      return json(200, await enrolments.look(id, enrolmentId));
    },
  };
}

/** An empty body names none. */
async function confirmationIn(request: Request): Promise<string | undefined> {
  const text = await request.clone().text();
  if (text === '') return undefined;
  const { confirmation } = parse(text);
  if (confirmation === undefined || typeof confirmation === 'string') return confirmation;
  throw invalid();
}

function parse(text: string): { confirmation?: unknown } {
  try {
    const body: unknown = JSON.parse(text);
    if (typeof body === 'object' && body !== null && !Array.isArray(body)) return body;
  } catch {
    // The error below says the same.
  }
  throw invalid();
}

const invalid = (): Refused => new Refused(400, 'invalid-request', 'The body is not JSON with an id.');
