import type { Backend } from '../../endpoint/http.ts';
import { createRingBuffer } from '../../endpoint/ring-buffer.ts';
import { AwsServiceError } from '../../protocols/errors.ts';
import { type Form, parseForm, queryResponse, type XmlElement } from '../../protocols/query.ts';
import {
  createApplication,
  deleteApplication,
  getApplicationAttributes,
  listApplications,
  setApplicationAttributes,
} from './applications.ts';
import {
  createEndpoint,
  deleteEndpoint,
  getEndpointAttributes,
  listEndpoints,
  setEndpointAttributes,
} from './endpoints.ts';
import { publish, type Push, type Pushes } from './publish.ts';
import { SnsState } from './state.ts';

export type { Push, Pushes };

const namespace = 'http://sns.amazonaws.com/doc/2010-03-31/';
const keptPushes = 10_000;

type Action = (state: SnsState, form: Form) => XmlElement[];

const actionsByName: Record<string, Action> = {
  CreatePlatformApplication: createApplication,
  ListPlatformApplications: listApplications,
  GetPlatformApplicationAttributes: getApplicationAttributes,
  SetPlatformApplicationAttributes: setApplicationAttributes,
  DeletePlatformApplication: deleteApplication,
  CreatePlatformEndpoint: createEndpoint,
  ListEndpointsByPlatformApplication: listEndpoints,
  GetEndpointAttributes: getEndpointAttributes,
  SetEndpointAttributes: setEndpointAttributes,
  DeleteEndpoint: deleteEndpoint,
};

export type Sns = { backend: Backend; pushes: Pushes; flush: () => Promise<void> };

/** Mobile push of SNS. Notifications for push providers are kept as `Push`. */
export function createSns(stateFile?: string): Sns {
  const state = new SnsState(stateFile);
  const pushes = createRingBuffer<Push>(keptPushes);
  const actions: Record<string, Action> = {
    ...actionsByName,
    Publish: (known, form) => publish(known, pushes, form),
  };
  return {
    backend: async (request) => {
      const { operation, input } = parseForm(request);
      const action = actions[operation];
      if (!action)
        throw new AwsServiceError(
          400,
          'InvalidAction',
          `The action ${operation} is not valid for this endpoint.`,
        );
      const answer = queryResponse(operation, namespace, action(state, input));
      // As in SNS, changes are durable before the response.
      await state.flush();
      return answer;
    },
    pushes,
    flush: () => state.flush(),
  };
}
