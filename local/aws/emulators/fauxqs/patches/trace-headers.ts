import type { AwsResponse, AwsRequest, Backend } from '../../../endpoint/http.ts';
import { asArray, asObject, type JsonObject, parseJson, parseObject } from '../../../protocols/json.ts';

/** Messages whose trace is known; the oldest are forgotten first, and all of them with the process. */
const KEPT = 100_000;

/**
 * SQS keeps the trace header with which a message was sent, and hands it out as the system attribute `AWSTraceHeader`:
 * https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/sqs-message-metadata.html. The emulator does
 * not. Lambda counts the calls of a chain by it.
 */
export function withTraces(backend: Backend): Backend {
  const traces = new Map<string, string>();
  return async (request) => {
    const { operation, input } = parseJson(request);
    const answer = await backend(request);
    if (answer.status !== 200) return answer;
    if (operation === 'SendMessage' || operation === 'SendMessageBatch') {
      remember(traces, sentBy({ request, input, answer }));
      return answer;
    }
    return operation === 'ReceiveMessage' && isWanted(input) ? withHeaders(answer, traces) : answer;
  };
}

type Sent = { messageId: string; trace: string };

/** Entries are told apart by their ids; one message alone has none. */
function sentBy(call: { request: AwsRequest; input: JsonObject; answer: AwsResponse }): Sent[] {
  const header = call.request.headers['x-amzn-trace-id'];
  const output = parseObject(call.answer.body);
  const entries = asArray(call.input['Entries'] ?? [call.input]).map(asObject);
  return asArray(output['Successful'] ?? [output])
    .map(asObject)
    .flatMap(({ Id, MessageId }): Sent[] => {
      const own = entries.find((entry) => entry['Id'] === Id);
      const attribute = asObject(asObject(own?.['MessageSystemAttributes'])['AWSTraceHeader']);
      const trace = attribute['StringValue'] ?? header;
      return typeof MessageId === 'string' && typeof trace === 'string'
        ? [{ messageId: MessageId, trace }]
        : [];
    });
}

function remember(traces: Map<string, string>, sent: readonly Sent[]): void {
  // Sent twice with one deduplication id, it is the message that it was.
  for (const { messageId, trace } of sent) if (!traces.has(messageId)) traces.set(messageId, trace);
  for (const oldest of traces.keys()) {
    if (traces.size <= KEPT) break;
    traces.delete(oldest);
  }
}

const isWanted = ({ AttributeNames, MessageSystemAttributeNames }: JsonObject): boolean =>
  [...asArray(AttributeNames), ...asArray(MessageSystemAttributeNames)].some(
    (name) => name === 'All' || name === 'AWSTraceHeader',
  );

function withHeaders(answer: AwsResponse, traces: ReadonlyMap<string, string>): AwsResponse {
  const output = parseObject(Buffer.from(answer.body));
  const messages = asArray(output['Messages']).map(asObject);
  if (messages.length === 0) return answer;
  const traced = messages.map((message) => {
    const trace = traces.get(String(message['MessageId']));
    if (trace === undefined) return message;
    return { ...message, Attributes: { ...asObject(message['Attributes']), AWSTraceHeader: trace } };
  });
  const body = JSON.stringify({ ...output, Messages: traced });
  return { ...answer, headers: { ...answer.headers, 'content-length': Buffer.byteLength(body) }, body };
}
