import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { SecretBox } from '../aws/secret-box-client.ts';
import { authorizationContext, type SignalsDestination } from '../export/kinds/signals/record.ts';
import { retryOnConflict } from '../kernel/retry-on-conflict.ts';
import { invalidField, Refusal, refusalOf, type FieldFault } from '../kernel/refusal.ts';
import { faultOfReceiverUrl } from '../outbound/receiver-url.ts';
import { poll } from './delivery-methods.ts';
import { endpointsOf } from './endpoints.ts';
import type { DeliveryRequest, StreamChange, StreamRequest } from './requests.ts';
import { configurationOf, type Stream, type StreamSettings } from './stream.ts';
import { mostStreams, type Owner, type StreamStore } from './stream-store.ts';

export type ConfigureDeps = {
  streams: Pick<StreamStore, 'find' | 'create' | 'change'>;
  secrets: Pick<SecretBox, 'seal'>;
  issuer: string;
  allowsLoopback: boolean;
};

const defaultLanes = 2;

/**
 * Makes a stream (OpenID Shared Signals Framework 1.0, section 8.1.1.1). Nothing is sent.
 *
 * @throws {Refusal}
 */
export async function createStream(
  deps: ConfigureDeps,
  owner: Owner,
  { delivery = { method: poll }, ...request }: StreamRequest,
  now: number,
): Promise<Pick<Stream, 'stream'>> {
  const own = {
    kind: 'signals',
    streamId: randomUUID(),
    audience: owner.clientId,
    lanes: defaultLanes,
  } as const;
  const place = await placeFor(deps, owner, own, delivery);
  const stream = settingsOf(owner, request, place);
  if (await deps.streams.create(owner, stream, now)) return { stream };
  throw new Refusal(
    'too-many-streams',
    `A client has at most ${mostStreams} streams. Delete one, or change one.`,
  );
}

/**
 * Changes what the request names (section 8.1.1.3).
 *
 * @throws {Refusal}
 */
export async function updateStream(deps: ConfigureDeps, owner: Owner, change: StreamChange): Promise<Stream> {
  return await changeStream(deps, owner, change, async ({ stream: before }) => ({
    ...before,
    ...(change.events_requested && { eventsRequested: change.events_requested }),
    ...(change.description !== undefined && { description: change.description }),
    ...(change.delivery && {
      place: keepingHeader(before.place, await changedPlace(deps, owner, before.place, change.delivery)),
    }),
  }));
}

/**
 * Puts the request in place of all that the receiver chose before (section 8.1.1.4).
 *
 * @throws {Refusal}
 */
export async function replaceStream(
  deps: ConfigureDeps,
  owner: Owner,
  change: StreamChange,
): Promise<Stream> {
  const { delivery = { method: poll } } = change;
  return await changeStream(deps, owner, change, async ({ stream: { place } }) =>
    settingsOf(owner, change, await changedPlace(deps, owner, place, delivery)),
  );
}

/** Again from the read, if another request came between. */
async function changeStream(
  deps: ConfigureDeps,
  owner: Owner,
  change: StreamChange,
  settingsFor: (before: Stream) => Promise<StreamSettings>,
): Promise<Stream> {
  return await retryOnConflict(async () => {
    const stream = await requireStream(deps.streams, owner, change.stream_id);
    requireSameFacts(stream, change, deps.issuer);
    const changed = await deps.streams.change(stream, await settingsFor(stream));
    if (changed) return changed;
    throw notFound();
  });
}

/** @throws {Refusal} `stream-not-found`: it is another client's, or does not exist */
export async function requireStream(
  streams: Pick<StreamStore, 'find'>,
  owner: Owner,
  streamId: string,
): Promise<Stream> {
  const found = await streams.find(owner, streamId);
  if (found) return found;
  throw notFound();
}

export const notFound = (): Refusal =>
  new Refusal('stream-not-found', 'This client has no stream with this id.');

const settingsOf = (
  { clientId }: Owner,
  { events_requested: eventsRequested, description }: Omit<StreamRequest, 'delivery'>,
  place: SignalsDestination,
): StreamSettings => ({
  clientId,
  ...(eventsRequested && { eventsRequested }),
  ...(description !== undefined && { description }),
  place,
});

type Own = Pick<SignalsDestination, 'kind' | 'streamId' | 'audience' | 'lanes'>;

/** @throws {Refusal} for a URL to which no call may go */
async function placeFor(
  { secrets, allowsLoopback }: ConfigureDeps,
  { tenantId }: Owner,
  { kind, streamId, audience, lanes }: Own,
  delivery: DeliveryRequest,
): Promise<SignalsDestination> {
  const own = { kind, streamId, audience, lanes };
  if (delivery.method === poll) return own;
  const { endpoint_url: url, authorization_header: header } = delivery;
  const fault = faultOfReceiverUrl(url, allowsLoopback);
  if (fault !== undefined) throw invalidField('/delivery/endpoint_url', fault);
  if (header === undefined) return { ...own, url };
  const authorization = await secrets.seal(header, authorizationContext(tenantId, streamId));
  return { ...own, url, authorization };
}

/** @throws {Refusal} also for an URL of polls that is not the service's */
async function changedPlace(
  deps: ConfigureDeps,
  owner: Owner,
  before: SignalsDestination,
  delivery: DeliveryRequest,
): Promise<SignalsDestination> {
  const ownUrl = endpointsOf(deps.issuer).poll(before.streamId);
  if (delivery.method === poll && (delivery.endpoint_url ?? ownUrl) !== ownUrl)
    throw invalidField('/delivery/endpoint_url', 'expected no other URL than that of the service');
  return await placeFor(deps, owner, before, delivery);
}

/** Nobody reads the header again: a configuration that is sent back as it was read must not lose it. No other URL gets it. */
const keepingHeader = (
  { url, authorization }: SignalsDestination,
  changed: SignalsDestination,
): SignalsDestination => ({
  ...(authorization !== undefined && url === changed.url && { authorization }),
  ...changed,
});

/** What only the service supplies. A receiver may send it back as it read it. */
const supplied = ['iss', 'aud', 'events_supported', 'events_delivered'] as const;

function requireSameFacts(stream: Stream, change: StreamChange, issuer: string): void {
  const known = configurationOf(stream, issuer);
  const faults = supplied.flatMap((name): FieldFault[] =>
    change[name] === undefined || isDeepStrictEqual(change[name], known[name])
      ? []
      : [{ pointer: `/${name}`, detail: 'expected what the service supplied, or no such member' }],
  );
  const refusal = refusalOf(faults);
  if (refusal) throw refusal;
}
