import { type AwsRequest, type AwsResponse, type Backend, withBody } from '../../../endpoint/http.ts';
import { asArray, asObject, type JsonObject, parseJson, parseObject } from '../../../protocols/json.ts';

/** Messages whose trace header is known. The oldest are forgotten first, and all of them when the process ends. */
const kept = 100_000;

/**
 * SQS keeps the trace header with which a message was sent, and returns it as the system attribute `AWSTraceHeader`:
 * https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/sqs-message-metadata.html. Lambda counts
 * the calls of a chain by it.
 *
 * Remove when fauxqs keeps `AWSTraceHeader`, from the system attribute and from the header `X-Amzn-Trace-Id`.
 */
export function withTraceHeaders(backend: Backend): Backend {
  const traces = new Map<string, string>();
  return async (request) => {
    const { operation, input } = parseJson(request);
    const response = await backend(request);
    if (response.status !== 200) return response;
    if (operation === 'SendMessage' || operation === 'SendMessageBatch') {
      remember(traces, sentBy({ request, input, response }));
      return response;
    }
    return operation === 'ReceiveMessage' && isRequested(input) ? withAttributes(response, traces) : response;
  };
}

type Sent = { messageId: string; trace: string };

/** The entries of a batch have ids; a single message has none. */
function sentBy(call: { request: AwsRequest; input: JsonObject; response: AwsResponse }): Sent[] {
  const header = call.request.headers['x-amzn-trace-id'];
  const output = parseObject(call.response.body);
  const entries = asArray(call.input['Entries'] ?? [call.input]).map(asObject);
  return asArray(output['Successful'] ?? [output])
    .map(asObject)
    .flatMap(({ Id, MessageId }): Sent[] => {
      const entry = entries.find((one) => one['Id'] === Id);
      const attribute = asObject(asObject(entry?.['MessageSystemAttributes'])['AWSTraceHeader']);
      const trace = attribute['StringValue'] ?? header;
      return typeof MessageId === 'string' && typeof trace === 'string'
        ? [{ messageId: MessageId, trace }]
        : [];
    });
}

function remember(traces: Map<string, string>, sent: readonly Sent[]): void {
  // A second send with the same deduplication id does not change the message.
  for (const { messageId, trace } of sent) if (!traces.has(messageId)) traces.set(messageId, trace);
  for (const oldest of traces.keys()) {
    if (traces.size <= kept) break;
    traces.delete(oldest);
  }
}

const isRequested = ({ AttributeNames, MessageSystemAttributeNames }: JsonObject): boolean =>
  [...asArray(AttributeNames), ...asArray(MessageSystemAttributeNames)].some(
    (name) => name === 'All' || name === 'AWSTraceHeader',
  );

function withAttributes(response: AwsResponse, traces: ReadonlyMap<string, string>): AwsResponse {
  const output = parseObject(response.body);
  const messages = asArray(output['Messages']).map(asObject);
  if (messages.length === 0) return response;
  const Messages = messages.map((message) => {
    const trace = traces.get(String(message['MessageId']));
    if (trace === undefined) return message;
    return { ...message, Attributes: { ...asObject(message['Attributes']), AWSTraceHeader: trace } };
  });
  return withBody(response, JSON.stringify({ ...output, Messages }));
}
