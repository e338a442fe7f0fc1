/** Replaces `@smithy/core/event-streams` and their signing: no call of this service reads or writes an event stream. */
function unreachable(): never {
  throw new Error('The bundle has no event streams (bundling/stubs/event-streams-stub.ts).');
}

export { unreachable as EventStreamSerde, unreachable as eventStreamSerdeProvider };

export const resolveEventStreamSerdeConfig = <Config>(config: Config): Config => config;

export class HeaderFormatter {
  readonly format = unreachable;
}
