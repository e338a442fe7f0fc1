import { anyStreamQuery, pollPath, streamQuery } from '../../../core/signals/requests.ts';
import { mostStreams } from '../../../core/signals/stream-store.ts';
import type { Route } from '../../../lambdas/routes.ts';
import type { WebsiteOperation } from './operation.ts';
import { exampleSignalRequests, exampleSignals } from './signals-examples.ts';

type SignalsLambda = Extract<Extract<Route, { caller: 'website' }>, { path: `/omi/ssf/${string}` }>['lambda'];

const example = (summary: string, value: unknown) => ({ summary, value });

const stream = (description: string, status: 200 | 201, value: unknown) => ({
  status,
  description,
  content: { schema: 'SignalStream', examples: { stream: example('The stream', value) } },
});

export const signalsOperations: Record<SignalsLambda, WebsiteOperation> = {
  'create-signal-stream': {
    tag: 'signals',
    summary: 'Make a stream of signals',
    description:
      `A client has at most ${mostStreams} streams. Nothing is sent at its creation: ask for a verification. The stream has all users of the tenant, ` +
      'and what happens from now on. Not idempotent: a repeated call makes another stream.',
    body: {
      schema: 'SignalStreamRequest',
      examples: {
        push: example('The service calls you', exampleSignalRequests.push),
        poll: example('You poll', exampleSignalRequests.poll),
      },
    },
    success: stream('The stream, which is enabled.', 201, exampleSignals.pushed),
  },
  'list-signal-streams': {
    tag: 'signals',
    summary: 'Read a stream, or all streams',
    description:
      'With `stream_id` the answer is this stream, without it a list of all streams of your client.',
    query: anyStreamQuery,
    success: {
      status: 200,
      description: 'The stream, or the streams.',
      content: {
        schema: 'SignalStreams',
        examples: {
          one: example('One', exampleSignals.polled),
          all: example('All', exampleSignals.streams),
          none: example('None', []),
        },
      },
    },
  },
  'update-signal-stream': {
    tag: 'signals',
    summary: 'Change a stream',
    description:
      'Changes what the body names. What waits goes to the new `endpoint_url`. Members that only the service supplies must be as they were read. ' +
      'Safe to repeat.',
    body: {
      schema: 'SignalStreamChange',
      examples: { description: example('Another description', exampleSignalRequests.change) },
    },
    success: stream('The stream as it is now.', 200, exampleSignals.pushed),
  },
  'replace-signal-stream': {
    tag: 'signals',
    summary: 'Replace what you chose for a stream',
    description:
      'As `updateSignalStream`, but what the body does not name is as for a new stream. The status stays. Safe to repeat.',
    body: {
      schema: 'SignalStreamChange',
      examples: { push: example('The service calls you', exampleSignalRequests.replacement) },
    },
    success: stream('The stream as it is now.', 200, exampleSignals.pushed),
  },
  'delete-signal-stream': {
    tag: 'signals',
    summary: 'Delete a stream',
    description: 'With all signals that wait. A repeated call answers 404.',
    query: streamQuery,
    success: { status: 204, description: 'The stream is deleted.' },
  },
  'get-signal-status': {
    tag: 'signals',
    summary: 'Read the status of a stream',
    description: 'Only you change it.',
    query: streamQuery,
    success: {
      status: 200,
      description: 'The status.',
      content: { schema: 'SignalStatus', examples: { enabled: example('Enabled', exampleSignals.enabled) } },
    },
  },
  'set-signal-status': {
    tag: 'signals',
    summary: 'Set the status of a stream',
    description:
      'While a stream is `paused`, signals wait, for 14 days at most, and come when it is `enabled` again. While it is `disabled`, they are ' +
      'discarded, as are those that waited. Safe to repeat.',
    body: {
      schema: 'SignalStatusChange',
      examples: { pause: example('Pause', exampleSignalRequests.pause) },
    },
    success: {
      status: 200,
      description: 'The status as it is now.',
      content: { schema: 'SignalStatus', examples: { paused: example('Paused', exampleSignals.paused) } },
    },
  },
  'verify-signal-stream': {
    tag: 'signals',
    summary: 'Ask for a verification',
    description:
      'A verification is sent as signals are, behind those that wait: usually within a second. Its subject is the stream, and it has the `state` of ' +
      'the request.',
    body: {
      schema: 'SignalVerification',
      examples: { verification: example('With a state', exampleSignalRequests.verification) },
    },
    success: { status: 204, description: 'A verification is on its way.' },
  },
  'poll-signals': {
    tag: 'signals',
    summary: 'Poll signals',
    description:
      'RFC 8936. Every signal comes with each poll until you acknowledge it, for 14 days. One whose `jti` is in `setErrs` does not come again.',
    path: pollPath,
    body: {
      schema: 'SignalPoll',
      isOptional: true,
      examples: { both: example('Poll and acknowledge', exampleSignalRequests.pollAndAcknowledge) },
    },
    success: {
      status: 200,
      description: 'Signals, if there are any.',
      content: {
        schema: 'PolledSignals',
        examples: {
          one: example('One', exampleSignals.sets),
          none: example('None', exampleSignals.noSets),
        },
      },
    },
  },
};
