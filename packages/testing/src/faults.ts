/** What goes wrong between the website and the service. */
export type Fault =
  /** The service does nothing, and answers 503. */
  | 'unavailable'
  /** The service does what was asked, and the answer is lost. */
  | 'no-answer'
  /** The access token is refused. */
  | 'unauthorized';

/** The faults of the next calls. */
export class Faults {
  #left: Fault[] = [];

  add(fault: Fault, times: number): void {
    this.#left.push(...Array.from({ length: times }, () => fault));
  }

  /** @param work what the service does with the call */
  async answer(work: () => Promise<Response>): Promise<Response> {
    const fault = this.#left.shift();
    if (fault === 'unavailable') return refusal(503, 'Service Unavailable', { 'retry-after': '1' });
    if (fault === 'unauthorized') return refusal(401, 'Unauthorized');
    const response = await work();
    // As `fetch` says it.
    if (fault === 'no-answer') throw new TypeError('fetch failed');
    return response;
  }
}

/** As the gateway writes it. */
const refusal = (status: number, message: string, headers: Record<string, string> = {}): Response =>
  Response.json({ message }, { status, headers });
