import { without } from '#ui/without.ts';
import { ApiProblem } from '#ui/api-problem.ts';
import type { Check, ExportState, UserAct } from '../api/shapes.ts';
import { type ExportRef, StaffApi, type UserRef } from '../api/staff-api.ts';
import type { SignInSettings } from '#ui/sign-in/settings.ts';
import { tenantBrand } from '#ui/tenant-brand.ts';
import { initialState, keyOf, type Question, type Screen, screenOf, type State } from './state.ts';

export type ControllerDeps = {
  render: (state: State) => void;
  now: () => number;
  config: SignInSettings;
};

/** Loaded when somebody signs in. */
const openId = async () => await import('#ui/sign-in/openid.ts');

/** Milliseconds between two looks at a question to a caller. */
const pollMs = 2_000;

const hourMs = 3_600_000;

const doneWords: Readonly<Record<UserAct, string>> = {
  'reset-limits': 'The limits are reset: the user can be asked again.',
  suspend: 'The user is suspended.',
  unsuspend: 'The user is no longer suspended.',
  'withdraw-recovery': 'The recovery is withdrawn.',
};

/** Holds the state, and does what people ask for. The token is kept here alone, so it is gone with the window. */
export class Controller {
  readonly #deps: ControllerDeps;
  #state: State;
  #api: StaffApi | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #hasSignedOut = false;

  constructor(deps: ControllerDeps, state: State) {
    this.#deps = deps;
    this.#state = state;
  }

  show(): void {
    this.#set({});
  }

  go(screen: Screen): void {
    this.#state = without(without(without(this.#state, 'problem'), 'question'), 'tenant');
    this.#set({ screen, announcement: '' });
    if (screen === 'exports' && this.#state.session?.isOperator) void this.listExports('all');
  }

  async signIn(): Promise<void> {
    this.#set({ isSigningIn: true });
    try {
      const { beginSignIn } = await openId();
      await beginSignIn(this.#deps.config, { asAnother: this.#hasSignedOut });
    } catch {
      this.signOut(failedText);
    }
  }

  /** After the issuer has led back here. */
  async comeBack(): Promise<void> {
    this.#set({ isSigningIn: true });
    try {
      const { finishSignIn } = await openId();
      const { token, name, expiresAt } = await finishSignIn(this.#deps.config);
      const api = new StaffApi(token);
      const { member, tenants } = await api.tenants();
      this.#api = api;
      this.#state = {
        ...this.#fresh(screenOf(location.hash)),
        session: { ...member, tenants, name, expiresAt },
      };
      this.go(this.#state.screen);
    } catch (error) {
      this.signOut(error instanceof ApiProblem ? refusedText(error) : failedText);
    }
  }

  signOut(problem?: string): void {
    clearTimeout(this.#timer);
    this.#api = undefined;
    this.#hasSignedOut ||= problem === undefined;
    const state = this.#fresh(this.#state.screen);
    this.#state = problem === undefined ? state : { ...state, signInProblem: problem };
    this.#set({});
  }

  async find(ref: UserRef): Promise<void> {
    clearTimeout(this.#timer);
    const { screen, session, replays } = this.#state;
    this.#state = {
      ...this.#fresh(screen),
      replays,
      ...(session && { session }),
      found: ref,
    };
    const find = async (api: StaffApi): Promise<void> => {
      this.#set({ found: { ...ref, user: await api.user(ref) } });
      void this.#loadBrand(ref.tenantId);
    };
    await this.#try('find', find, { refused: (problem) => this.#set({ found: { ...ref, problem } }) });
  }

  /** The confirmations before those that are shown. */
  async showMore(): Promise<void> {
    const { found } = this.#state;
    if (!found?.user) return;
    const { user } = found;
    await this.#try('more', async (api) => {
      const { confirmations, before } = await api.user(found, user.before);
      const all = [...user.confirmations, ...confirmations];
      const rest = without(user, 'before');
      this.#set({
        found: { ...found, user: { ...rest, confirmations: all, ...(before !== undefined && { before }) } },
      });
    });
  }

  ask(question: Question): void {
    this.#set({ question });
  }

  leaveAsItIs(): void {
    this.#state = without(this.#state, 'question');
    this.#set({});
  }

  async act(act: UserAct): Promise<void> {
    await this.#change(act, async (api, ref) => await api.act(ref, act), doneWords[act]);
  }

  async removeDevice(deviceId: string): Promise<void> {
    await this.#change(
      'remove-device',
      async (api, ref) => await api.removeDevice(ref, deviceId),
      'The device is removed.',
    );
  }

  async allowRecovery(agreeTo?: string): Promise<void> {
    await this.#change(
      'recovery',
      async (api, ref) => {
        await api.allowRecovery(ref, agreeTo);
      },
      'Recorded. The state of the recovery is below.',
    );
  }

  async check(deviceId?: string): Promise<void> {
    const { found } = this.#state;
    if (!found) return;
    this.#state = without(this.#state, 'isNumberWrong');
    await this.#try('check', async (api) => {
      this.#set({ check: await api.check(found, deviceId), announcement: 'The device was asked.' });
      this.#poll();
    });
  }

  async compare(number: string): Promise<void> {
    const { found, check } = this.#state;
    if (!found || !check) return;
    await this.#try('compare', async (api) => {
      const after = await api.compare(found, check.checkId, number);
      this.#set({ check: after, isNumberWrong: after.comparison !== 'matches' });
    });
  }

  async listExports(state: ExportState | 'all'): Promise<void> {
    await this.#try('exports', async (api) => {
      const exports = await api.exports(state === 'all' ? undefined : state);
      this.#set({ exportState: state, exports });
    });
  }

  async steer(ref: ExportRef, act: 'pause' | 'resume'): Promise<void> {
    await this.#onExport(async (api) => await api.steer(ref, act), `The export is ${act}d.`);
  }

  async test(ref: ExportRef): Promise<void> {
    await this.#onExport(async (api) => await api.test(ref), 'A test was asked for. It takes a few seconds.');
  }

  /** The last hours again. */
  async replay(ref: ExportRef, hours: number): Promise<void> {
    const now = this.#deps.now();
    const range = { from: new Date(now - hours * hourMs).toISOString(), to: new Date(now).toISOString() };
    await this.#onExport(async (api) => {
      const replay = await api.startReplay(ref, range);
      this.#set({ replays: [{ ...replay, key: keyOf(ref) }, ...this.#state.replays] });
    }, 'The replay has begun.');
  }

  async showTenant(tenantId: string): Promise<void> {
    await this.#try('tenant', async (api) => this.#set({ tenant: await api.tenant(tenantId) }));
  }

  async #loadBrand(tenantId: string): Promise<void> {
    const brand = await tenantBrand(tenantId);
    if (brand && this.#state.found?.tenantId === tenantId) this.#set({ brand });
  }

  async #onExport(work: (api: StaffApi) => Promise<void>, done: string): Promise<void> {
    this.#state = without(this.#state, 'question');
    await this.#try('export', async (api) => {
      await work(api);
      this.#set({ announcement: done });
      await this.listExports(this.#state.exportState ?? 'all');
    });
  }

  /** Changes something of the user, and looks again. */
  async #change(
    what: string,
    work: (api: StaffApi, ref: UserRef) => Promise<void>,
    done: string,
  ): Promise<void> {
    const { found } = this.#state;
    if (!found) return;
    this.#state = without(this.#state, 'question');
    await this.#try(what, async (api) => {
      await work(api, found);
      this.#set({ announcement: done, found: { ...found, user: await api.user(found) } });
    });
  }

  #poll(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#look(), pollMs);
  }

  async #look(): Promise<void> {
    const { found, check } = this.#state;
    if (!found || !check || !isOpen(check)) return;
    try {
      const after = await this.#api?.checkAgain(found, check.checkId);
      if (after && this.#state.check?.checkId === after.checkId) this.#set({ check: after });
    } catch (error) {
      if (error instanceof ApiProblem && error.status === 401) this.signOut(endedText);
    }
    if (this.#api) this.#poll();
  }

  async #try(
    busy: string,
    work: (api: StaffApi) => Promise<void>,
    { refused }: { refused?: (problem: string) => void } = {},
  ): Promise<void> {
    const api = this.#api;
    if (!api) return;
    this.#state = without(this.#state, 'problem');
    this.#set({ busy });
    try {
      await work(api);
    } catch (error) {
      if (!(error instanceof ApiProblem)) throw error;
      if (error.status === 401) this.signOut(endedText);
      else (refused ?? ((problem) => this.#set({ problem })))(refusedText(error));
    } finally {
      this.#state = without(this.#state, 'busy');
      this.#set({});
    }
  }

  #fresh(screen: Screen): State {
    return initialState(this.#deps.now(), screen, this.#state.stage);
  }

  #set(changes: Partial<State>): void {
    this.#state = { ...this.#state, ...changes, now: this.#deps.now() };
    this.#deps.render(this.#state);
  }
}

const failedText = 'The sign-in did not work. Try it once more.';
const endedText = 'Your sign-in has ended. Sign in again.';

const isOpen = ({ status, comparison, isCaller }: Check): boolean =>
  !isCaller && (status === 'pending' || (status === 'confirmed' && comparison !== 'wrong'));

const refusedText = (problem: ApiProblem): string =>
  problem.status === 403 && problem.code === undefined
    ? 'You are in no group of the help desk that may do this. Ask whoever manages its members.'
    : problem.message;
