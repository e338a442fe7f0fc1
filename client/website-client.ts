import type * as v from 'valibot';
import { tokenSource } from '../packages/http/src/access-tokens.ts';
import type { ClientCredentials } from './access-token.ts';
import {
  confirmationSchema,
  deviceListSchema,
  enrolmentStatusSchema,
  groupSchema,
  nothingSchema,
  recordedSchema,
  startedEnrolmentSchema,
  type GroupQuestion,
  type Notification,
} from './contract.ts';
import { exchange, fail, type Answer } from './http.ts';

/** The service, with the client's credentials or another source of tokens. */
export type WebsiteConnection = { baseUrl: string } & (ClientCredentials | { token: () => Promise<string> });

type Call = {
  method: string;
  path: string;
  /** Sent as JSON. */
  json?: unknown;
  headers?: Record<string, string>;
  body?: string | Uint8Array<ArrayBuffer>;
};

/**
 * A website's server as a client of the service, with one method for each endpoint. It fetches and renews tokens. Methods
 * return responses unchanged, also failures.
 */
export class WebsiteClient {
  readonly baseUrl: string;
  readonly #token: () => Promise<string>;

  constructor(connection: WebsiteConnection, { scopes = [] }: { scopes?: string[] } = {}) {
    this.baseUrl = connection.baseUrl;
    const tokens = tokenSource(connection, { fetch, fail, now: Date.now });
    this.#token = async () => await tokens.token(...scopes);
  }

  async accessToken(): Promise<string> {
    return await this.#token();
  }

  async listDevices(userId: string) {
    return await this.call({ method: 'GET', path: paths.devices(userId) }, deviceListSchema);
  }

  /** @param confirmation the nonce of the one that allows it, where the tenant wants one */
  async removeDevice(userId: string, deviceId: string, confirmation?: string) {
    const path = paths.device(userId, deviceId, confirmation);
    return await this.call({ method: 'DELETE', path }, nothingSchema);
  }

  async sendToDevice(userId: string, deviceId: string, notification: Notification) {
    const path = paths.pushToDevice(userId, deviceId);
    return await this.call({ method: 'POST', path, json: notification }, confirmationSchema);
  }

  async sendToUser(userId: string, notification: Notification) {
    return await this.call(
      { method: 'POST', path: paths.pushToUser(userId), json: notification },
      confirmationSchema,
    );
  }

  async getConfirmation(nonce: string) {
    return await this.call({ method: 'GET', path: paths.confirmation(nonce) }, confirmationSchema);
  }

  async withdraw(nonce: string) {
    return await this.call({ method: 'DELETE', path: paths.confirmation(nonce) }, nothingSchema);
  }

  /** What its client asked by CIBA. */
  async withdrawRequest(authReqId: string) {
    return await this.call({ method: 'DELETE', path: paths.request(authReqId) }, nothingSchema);
  }

  async withdrawAll(userId: string) {
    return await this.call({ method: 'DELETE', path: paths.openConfirmations(userId) }, nothingSchema);
  }

  async requestGroup(asked: GroupQuestion) {
    return await this.call({ method: 'POST', path: '/omi/groups', json: asked }, groupSchema);
  }

  async getGroup(nonce: string) {
    return await this.call({ method: 'GET', path: paths.group(nonce) }, groupSchema);
  }

  async withdrawGroup(nonce: string) {
    return await this.call({ method: 'DELETE', path: paths.group(nonce) }, nothingSchema);
  }

  /** @param confirmation the nonce of the one that allows it, where the tenant wants one */
  async startEnrolment(userId: string, confirmation?: string, accountLabel?: string) {
    const json = { userId, confirmation, accountLabel };
    return await this.call({ method: 'POST', path: paths.enrol, json }, startedEnrolmentSchema);
  }

  async setAccountLabel(userId: string, accountLabel: string | null) {
    const path = paths.label(userId);
    return await this.call({ method: 'PUT', path, json: { accountLabel } }, nothingSchema);
  }

  async getEnrolment(enrolmentId: string) {
    return await this.call({ method: 'GET', path: paths.enrolment(enrolmentId) }, enrolmentStatusSchema);
  }

  /** Records events of another service of the platform. */
  async recordEvents(events: readonly object[]) {
    return await this.call({ method: 'POST', path: paths.events, json: { events } }, recordedSchema);
  }

  /** Any call, also one that the typed methods would not make. The headers replace the default ones. */
  async call<Body>(call: Call, success: v.GenericSchema<unknown, Body>): Promise<Answer<Body>> {
    const body = call.json === undefined ? call.body : JSON.stringify(call.json);
    const headers = {
      authorization: `Bearer ${await this.accessToken()}`,
      ...(call.json === undefined ? {} : { 'content-type': 'application/json' }),
      ...call.headers,
    };
    return await exchange(
      {
        method: call.method,
        url: `${this.baseUrl}${call.path}`,
        headers,
        ...(body === undefined ? {} : { body }),
      },
      success,
    );
  }
}

const segment = encodeURIComponent;

/** Path and query of every endpoint for websites. */
export const paths = {
  devices: (userId: string) => `/omi/users/${segment(userId)}/devices`,
  device: (userId: string, deviceId: string, confirmation?: string) =>
    `/omi/users/${segment(userId)}/devices/${segment(deviceId)}` +
    (confirmation === undefined ? '' : `?confirmation=${segment(confirmation)}`),
  label: (userId: string) => `/omi/users/${segment(userId)}/label`,
  pushToDevice: (userId: string, deviceId: string) =>
    `/omi/push/user/${segment(userId)}/device/${segment(deviceId)}`,
  pushToUser: (userId: string) => `/omi/push/user/${segment(userId)}`,
  confirmation: (nonce: string) => `/omi/push/confirmation?nonce=${segment(nonce)}`,
  group: (nonce: string) => `/omi/groups?nonce=${segment(nonce)}`,
  request: (authReqId: string) => `/omi/push/confirmation?authReqId=${segment(authReqId)}`,
  openConfirmations: (userId: string) => `/omi/push/confirmation?userId=${segment(userId)}`,
  events: '/omi/events',
  enrol: '/omi/enrol/qr',
  enrolment: (enrolmentId: string) => `/omi/enrol/status?enrolmentId=${segment(enrolmentId)}`,
};
