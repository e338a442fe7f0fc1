/** The form field and the member of a JSON body in which an action has its confirmation. */
const field = 'omi-confirmation';

/** The id that an action's request brings: in the header `Omi-Confirmation`, or in its form or JSON body. */
export async function confirmationIdOf(request: Request): Promise<string | undefined> {
  const header = request.headers.get(field);
  if (header !== null) return header;
  const type = request.headers.get('content-type') ?? '';
  const value = /\bjson\b/i.test(type) ? await fromJson(request) : await fromForm(request);
  return typeof value === 'string' ? value : undefined;
}

async function fromJson(request: Request): Promise<unknown> {
  const body: unknown = await request
    .clone()
    .json()
    .catch(() => undefined);
  return typeof body === 'object' && body !== null ? (body as Record<string, unknown>)[field] : undefined;
}

/** A repeated field is rejected, because other code might read the other value. */
async function fromForm(request: Request): Promise<unknown> {
  const form = await request
    .clone()
    .formData()
    .catch(() => undefined);
  const values = form?.getAll(field) ?? [];
  return values.length === 1 ? values[0] : undefined;
}
