import { problemOf, unreachable } from '#ui/api-problem.ts';
import type {
  Check,
  Export,
  ExportState,
  Recovery,
  Replay,
  TenantDetails,
  TenantList,
  User,
  UserAct,
} from './shapes.ts';

const patienceMs = 35_000;

export type UserRef = { tenantId: string; userId: string };
export type ExportRef = Pick<Export, 'tenantId' | 'category'>;

const pathOf = ({ userId }: UserRef): string => `/users/${encodeURIComponent(userId)}`;
const exportPath = ({ tenantId, category }: ExportRef): string => `/tenants/${tenantId}/exports/${category}`;

const query = (parameters: Record<string, string | undefined>): string =>
  `?${new URLSearchParams(
    Object.entries(parameters).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  ).toString()}`;

/** The API of the help desk, at the page's own origin. */
export class StaffApi {
  readonly #token: string;

  constructor(token: string) {
    this.#token = token;
  }

  async tenants(): Promise<TenantList> {
    return await this.#call<TenantList>('GET', '/tenants');
  }

  async tenant(tenantId: string): Promise<TenantDetails> {
    return await this.#call<TenantDetails>('GET', `/tenants/${tenantId}`);
  }

  async user(ref: UserRef, before?: string): Promise<User> {
    return await this.#call<User>('GET', `${pathOf(ref)}${query({ tenantId: ref.tenantId, before })}`);
  }

  async act(ref: UserRef, act: UserAct): Promise<void> {
    await this.#call('POST', `${pathOf(ref)}/acts`, { tenantId: ref.tenantId, act });
  }

  async removeDevice(ref: UserRef, deviceId: string): Promise<void> {
    const { tenantId } = ref;
    await this.#call('DELETE', `${pathOf(ref)}/devices/${deviceId}${query({ tenantId })}`);
  }

  async allowRecovery(ref: UserRef, agreeTo?: string): Promise<Recovery> {
    const { tenantId } = ref;
    return await this.#call<Recovery>('POST', `${pathOf(ref)}/recovery`, {
      tenantId,
      ...(agreeTo !== undefined && { agreeTo }),
    });
  }

  async check(ref: UserRef, deviceId?: string): Promise<Check> {
    const { tenantId } = ref;
    return await this.#call<Check>('POST', `${pathOf(ref)}/checks`, {
      tenantId,
      ...(deviceId !== undefined && { deviceId }),
    });
  }

  async checkAgain(ref: UserRef, checkId: string): Promise<Check> {
    const { tenantId } = ref;
    return await this.#call<Check>('GET', `${pathOf(ref)}/checks/${checkId}${query({ tenantId })}`);
  }

  async compare(ref: UserRef, checkId: string, number: string): Promise<Check> {
    const { tenantId } = ref;
    return await this.#call<Check>('POST', `${pathOf(ref)}/checks/${checkId}/number`, { tenantId, number });
  }

  async exports(state?: ExportState): Promise<Export[]> {
    const { exports } = await this.#call<{ exports: Export[] }>('GET', `/exports${query({ state })}`);
    return exports;
  }

  async steer(ref: ExportRef, act: 'pause' | 'resume'): Promise<void> {
    await this.#call('POST', `${exportPath(ref)}/acts`, { act });
  }

  async test(ref: ExportRef): Promise<void> {
    await this.#call('POST', `${exportPath(ref)}/test`);
  }

  async startReplay(ref: ExportRef, range: { from: string; to: string }): Promise<Replay> {
    return await this.#call<Replay>('POST', `${exportPath(ref)}/replays`, range);
  }

  async #call<Answer>(method: 'GET' | 'POST' | 'DELETE', path: string, body?: object): Promise<Answer> {
    const response = await fetch(`/omi/staff${path}`, {
      method,
      headers: {
        Authorization: `Bearer ${this.#token}`,
        ...(body && { 'Content-Type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
      cache: 'no-store',
      credentials: 'omit',
      redirect: 'error',
      signal: AbortSignal.timeout(patienceMs),
    }).catch((): never => {
      throw unreachable();
    });
    const answer: unknown = await response.json().catch(() => undefined);
    if (!response.ok) throw problemOf(response, answer);
    return answer as Answer;
  }
}
