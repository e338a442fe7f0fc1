import { setTimeout as wait } from 'node:timers/promises';
import { SimulatedDevice } from '../../../client/device/simulated-device.ts';
import { bodyOf } from '../../../client/http.ts';
import type { accountView } from '../../../pages/bank/server/account.ts';
import { patiently } from '../../contract/faults/patience.ts';

export type AccountView = ReturnType<typeof accountView> & { check?: string };
export type Fields = Record<string, string>;
export type Asked = { id: string; status: string; message: string; matchCode?: string; deviceId: string };
export type BankProblem = { code: string; detail: string; errors?: { pointer: string; detail: string }[] };
export type Answer<Body> = { status: number; body: Body; headers: Headers };

/** Somebody with a browser and, after `enrol`, phones: the bank through its front door. */
export class Visitor {
  readonly #siteUrl: string;
  #cookie: string | undefined;

  constructor(siteUrl: string, cookie?: string) {
    this.#siteUrl = siteUrl;
    this.#cookie = cookie;
  }

  get cookie(): string | undefined {
    return this.#cookie;
  }

  async call<Body = BankProblem>(path: string, init: RequestInit = {}): Promise<Answer<Body>> {
    const headers = new Headers(init.headers);
    if (this.#cookie !== undefined) headers.set('cookie', this.#cookie);
    const response = await fetch(this.#siteUrl + path, { ...init, headers, redirect: 'manual' });
    const [cookie] = response.headers.get('set-cookie')?.split(';') ?? [];
    if (cookie !== undefined) this.#cookie = cookie;
    const text = await response.text();
    const body = (text === '' ? undefined : JSON.parse(text)) as Body;
    return { status: response.status, body, headers: response.headers };
  }

  async post<Body = BankProblem>(path: string, fields: Fields, headers: Fields = {}): Promise<Answer<Body>> {
    return await this.call<Body>(path, { method: 'POST', body: new URLSearchParams(fields), headers });
  }

  async postJson<Body = BankProblem>(
    path: string,
    body: object,
    headers: Fields = {},
  ): Promise<Answer<Body>> {
    const type = { 'content-type': 'application/json' };
    return await this.call<Body>(path, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { ...type, ...headers },
    });
  }

  async signIn(userId: string): Promise<void> {
    const { status } = await this.postJson('/bank/sign-in', { userId });
    if (status !== 204) throw new Error(`No sign-in: ${status}`);
  }

  async account(): Promise<AccountView> {
    return (await this.call<AccountView>('/bank/account')).body;
  }

  /** As the elements do it. */
  async ask<Body = Asked>(fields: Fields, device?: string): Promise<Answer<Body>> {
    const query = device === undefined ? '' : `?device=${device}`;
    return await this.post<Body>(`/step-up/confirmations${query}`, fields, page);
  }

  async startEnrolment<Body = { id: string; link: string }>(body: object = {}): Promise<Answer<Body>> {
    return await this.postJson<Body>('/step-up/enrolments', body, page);
  }

  /** Scans the code that the page shows. */
  async enrol(name: string, body: object = {}): Promise<SimulatedDevice> {
    const phone = new SimulatedDevice({ name });
    const { link } = (await this.startEnrolment(body)).body;
    bodyOf(await patiently(async () => await phone.enrol(link)));
    return phone;
  }

  /** The user asks at the website and confirms on the phone. @returns the id of the confirmation */
  async confirm(phone: SimulatedDevice, fields: Fields): Promise<string> {
    const { id, matchCode } = (await this.ask(fields, phone.identity.deviceId)).body;
    await answerWith(phone, async (challenge) => {
      const { deviceId } = phone.identity;
      if (challenge.message === '') throw new Error(`Nothing to answer on ${deviceId}`);
      return await phone.answer(challenge, {
        decision: 'confirm',
        ...(matchCode !== undefined && { number: matchCode }),
      });
    });
    await this.until(id, 'confirmed');
    return id;
  }

  /** Polls as the elements do. */
  async until(id: string, status: string): Promise<void> {
    for (;;) {
      const { body } = await this.call<{ status: string }>(`/step-up/confirmations/${id}`, { headers: page });
      if (body.status === status) return;
      if (body.status !== 'pending') throw new Error(`It is ${body.status}, not ${status}`);
      await wait(100);
    }
  }
}

/** What a page of the website sends. */
export const page = { 'omi-page': '1' };

type Challenge = Parameters<SimulatedDevice['answer']>[0];

async function answerWith(
  phone: SimulatedDevice,
  answer: (challenge: Challenge) => ReturnType<SimulatedDevice['answer']>,
): Promise<void> {
  const { challenges } = bodyOf(await patiently(async () => await phone.challenges()));
  const [challenge] = challenges;
  if (!challenge) throw new Error('Nothing to answer');
  bodyOf(await patiently(async () => await answer(challenge)));
}
