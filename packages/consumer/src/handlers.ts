import type { Event } from './event.ts';

export type Handler = (event: Event) => void | Promise<void>;

export type Handlers = {
  /** By type and major version of the payload, such as `UserSignedInEvent 1`. */
  public?: Readonly<Record<string, Handler>>;
  log?: Handler;
  /** Every event that no other handler takes: a type or a major version that the program does not know. */
  other: Handler;
};

const majorOf = (version = ''): string => version.split('.')[0] ?? '';

export function handlerOf({ metadata }: Event, handlers: Handlers): Handler {
  const { category, metadataVersion, payloadVersion, type } = metadata;
  if (majorOf(metadataVersion) !== '1') return handlers.other;
  if (category === 'log') return handlers.log ?? handlers.other;
  const name = `${type} ${majorOf(payloadVersion)}`;
  const known = handlers.public ?? {};
  return (Object.hasOwn(known, name) ? known[name] : undefined) ?? handlers.other;
}
