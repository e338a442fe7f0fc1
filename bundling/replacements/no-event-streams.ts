/** In place of `@smithy/core/event-streams`, and of their signing: no call of this service reads or writes one. */
function refuse(): never {
  throw new Error('Event streams are not part of this bundle (bundling/replacements/no-event-streams.ts).');
}

export { refuse as EventStreamSerde, refuse as eventStreamSerdeProvider };

export const resolveEventStreamSerdeConfig = <Config>(config: Config): Config => config;

export class HeaderFormatter {
  readonly format = refuse;
}
