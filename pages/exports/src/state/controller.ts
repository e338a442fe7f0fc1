import { without } from '#ui/without.ts';
import { isToken, readToken } from '../api/access-token.ts';
import { ApiProblem } from '#ui/api-problem.ts';
import type * as OpenId from '#ui/sign-in/openid.ts';
import { tenantBrand } from '#ui/tenant-brand.ts';
import type { SignInSettings } from '#ui/sign-in/settings.ts';
import { ExportsApi } from '../api/exports-api.ts';
import type { Category, Replay, ReplayRequest, Tenant, TestRequest } from '../api/shapes.ts';
import { fieldOf, hourMs, isProblem, rangeOf } from '../text/range.ts';
import { timeText } from '#ui/times.ts';
import { logTitle } from '../text/log-title.ts';
import { endings, tokenProblemText } from '../text/labels.ts';
import { changesIn } from './announcements.ts';
import {
  type Config,
  initialState,
  kindOf,
  type Ledger,
  type Panel,
  type ReplayForm,
  type Request,
  type Route,
  routeOf,
  type Session,
  type Span,
  type State,
} from './state.ts';
import type { KeptReplay, KeptReplays } from './kept-replays.ts';
import { checkLog } from '../log/check-log.ts';
import type { KeptCheckpoints } from '../log/kept-checkpoints.ts';
import { isUnderTest } from './test-progress.ts';

export type ControllerDeps = {
  render: (state: State) => void;
  now: () => number;
  copy: (text: string) => Promise<void>;
  /** A window that nobody sees asks nothing. */
  isVisible: () => boolean;
  kept: KeptReplays;
  checkpoints: KeptCheckpoints;
};

const minuteMs = 60_000;

/** Milliseconds between two looks: while something is under way, and otherwise. */
const pace = { busy: 1_000, idle: 5_000 };

const afterRequest = (problem: ApiProblem | undefined): Request =>
  problem ? { phase: 'refused', problem: problem.message } : { phase: 'idle' };

/** Holds the state, and does what people ask for. The token is kept here alone, so it is gone with the window. */
export class Controller {
  readonly #deps: ControllerDeps;
  #state: State;
  #api: ExportsApi | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #hasSignedOut = false;

  constructor(deps: ControllerDeps, route: Route) {
    this.#deps = deps;
    this.#state = initialState(deps.now(), route);
  }

  configure(config: Config): void {
    this.#set({ config });
  }

  go(route: Route): void {
    this.#state = without(this.#state, 'copied');
    this.#set({ route });
    this.#loadShownLedger();
  }

  async paste(pasted: string): Promise<void> {
    const read = readToken(pasted, this.#deps.now());
    if (isToken(read)) await this.#open(read.text, { canAct: read.canAct, expiresAt: read.expiresAt });
    else this.#set({ signInProblem: { of: 'token', text: tokenProblemText(read) } });
  }

  async signIn(): Promise<void> {
    await this.#atIssuer(async ({ beginSignIn }, settings) => {
      await beginSignIn(settings, { asAnother: this.#hasSignedOut });
    });
  }

  /** After the issuer has led back here. */
  async comeBack(): Promise<void> {
    await this.#atIssuer(async ({ finishSignIn }, settings) => {
      const { token, name, expiresAt } = await finishSignIn(settings);
      this.#state = { ...this.#state, route: routeOf(location.hash), isSigningIn: false };
      await this.#open(token, { canAct: true, expiresAt, name });
    });
  }

  signOut(problem?: string): void {
    clearTimeout(this.#timer);
    this.#api = undefined;
    const { config, route, session } = this.#state;
    const of = session ? kindOf(session) : 'token';
    this.#hasSignedOut ||= of === 'member' && problem === undefined;
    this.#state = {
      ...initialState(this.#deps.now(), route),
      config,
      ...(problem !== undefined && { signInProblem: { of, text: problem } }),
    };
    this.#set({});
  }

  async copy(what: string, text: string): Promise<void> {
    try {
      await this.#deps.copy(text);
      this.#set({ copied: what, announcement: 'Copied.' });
    } catch {
      this.#set({ announcement: 'The browser did not allow it. Select the text, and copy it.' });
    }
  }

  async loadSamples(category: Category): Promise<void> {
    this.#change(category, { samples: { isLoading: true } });
    const problem = await this.#try(async (api) => {
      this.#change(category, { samples: { list: await api.samples(category), isLoading: false } });
    });
    if (problem) this.#change(category, { samples: { isLoading: false, problem: problem.message } });
  }

  chooseSample(category: Category, type: string): void {
    this.#change(category, { samples: { ...this.#panel(category).samples, chosen: type } });
  }

  async test(category: Category, request: TestRequest = {}): Promise<void> {
    this.#change(category, { test: { phase: 'sending' } });
    const problem = await this.#try(async (api) => await api.test(category, request));
    this.#change(category, { test: afterRequest(problem) });
    await this.#look();
  }

  /** Pausing is asked for twice, because events then wait. */
  beginPause(category: Category): void {
    this.#change(category, { steering: { phase: 'confirming' } });
  }

  leaveAsItIs(category: Category): void {
    this.#change(category, { steering: { phase: 'idle' } });
  }

  async steer(category: Category, what: 'pause' | 'resume'): Promise<void> {
    this.#change(category, { steering: { phase: 'sending' } });
    const problem = await this.#try(async (api) => await api.steer(category, what));
    this.#change(category, { steering: afterRequest(problem) });
    await this.#look();
  }

  editReplay(
    category: Category,
    changes: Partial<Pick<ReplayForm, 'from' | 'to' | 'types' | 'eventIds'>>,
  ): void {
    const form = without(this.#panel(category).replayForm, 'problem');
    this.#change(category, { replayForm: { ...form, ...changes } });
  }

  /** The form has whole minutes, so it may take some events more. */
  chooseReplayOf(category: Category, range: { from: string; to: string }): void {
    const to = Math.ceil(Date.parse(range.to) / minuteMs) * minuteMs;
    this.editReplay(category, {
      from: fieldOf(Date.parse(range.from)),
      to: to > this.#deps.now() ? '' : fieldOf(to),
    });
  }

  async replayEvent(category: Category, eventId: string): Promise<void> {
    await this.#replay(category, { eventId });
  }

  async startReplay(category: Category): Promise<void> {
    const { from, to, types, eventIds } = this.#panel(category).replayForm;
    const range = rangeOf(from, to, this.#deps.now());
    if (isProblem(range)) {
      this.#changeForm(category, { problem: range });
      return;
    }
    const ids = eventIds.split(/[\s,]+/).filter(Boolean);
    await this.#replay(category, {
      ...range,
      ...(types.length > 0 && { types }),
      ...(ids.length > 0 && { eventIds: ids }),
    });
  }

  async #replay(category: Category, request: ReplayRequest): Promise<void> {
    this.#changeForm(category, { isSending: true });
    const problem = await this.#beginReplay(category, request);
    this.#changeForm(category, {
      isSending: false,
      ...(problem !== undefined && { problem: { text: problem.message } }),
    });
    if (!problem) await this.#look();
  }

  /** Sends exactly those again, and nothing that was accepted between. */
  async replayGivenUp(category: Category): Promise<void> {
    await this.#endGivenUp(category, async () => await this.#beginReplay(category, { givenUp: true }));
  }

  /** @param reason for the tenant's log */
  async dismissGivenUp(category: Category, reason: string): Promise<void> {
    await this.#endGivenUp(
      category,
      async () => await this.#try(async (api) => await api.dismiss(category, reason)),
    );
  }

  chooseSpan(category: Category, span: Span): void {
    this.#changeLedger(category, { span });
    void this.loadLedger(category);
  }

  chooseHour(category: Category, hour: string): void {
    this.#changeLedger(category, { chosen: hour });
  }

  async loadLedger(category: Category): Promise<void> {
    const ledger = without(this.#panel(category).ledger, 'problem');
    this.#change(category, { ledger: { ...ledger, isLoading: true } });
    const { span } = ledger;
    const now = this.#deps.now();
    // As many hours as the name of the span says, the running one included.
    const from = new Date((Math.floor(now / hourMs) + 1 - span) * hourMs).toISOString();
    const problem = await this.#try(async (api) => {
      const hours = await api.ledger(category, { from, to: new Date(now).toISOString() });
      // Another span may have been chosen meanwhile.
      if (this.#panel(category).ledger.span === span) this.#changeLedger(category, { hours });
    });
    this.#changeLedger(category, { isLoading: false, ...(problem && { problem: problem.message }) });
  }

  /** @param more also those before the ones that are shown; otherwise the newest */
  async loadDeliveries(category: Category, more = false): Promise<void> {
    const before = without(this.#panel(category).deliveries, 'problem');
    this.#change(category, { deliveries: { ...before, isLoading: true } });
    const problem = await this.#try(async (api) => {
      const { deliveries, cursor } = await api.deliveries(category, more ? before.cursor : undefined);
      const list = more ? [...(before.list ?? []), ...deliveries] : deliveries;
      this.#change(category, {
        deliveries: { list, isLoading: false, ...(cursor !== undefined && { cursor }) },
      });
    });
    if (problem)
      this.#change(category, { deliveries: { ...before, isLoading: false, problem: problem.message } });
  }

  /** @param pasted a checkpoint to compare with, in place of the one that this browser has kept */
  async checkLog(category: Category, pasted?: string): Promise<void> {
    const { tenant } = this.#state;
    if (!tenant) return;
    this.#change(category, { log: { isLoading: true } });
    const { checkpoints: kept, now } = this.#deps;
    const problem = await this.#try(async (api) => {
      const found = await checkLog({ api, kept, now }, tenant.tenantId, category, pasted);
      this.#change(category, { log: { isLoading: false, found } });
      this.#set({ announcement: `${logTitle(found)}.` });
    });
    if (problem) this.#change(category, { log: { isLoading: false, problem: problem.message } });
  }

  /** Looks at once, for example when the window is shown again. */
  wake(): void {
    if (this.#api && this.#deps.isVisible()) void this.#look();
  }

  /** What leads there and back is loaded when somebody signs in: most paste a token. */
  async #atIssuer(work: (openid: typeof OpenId, settings: SignInSettings) => Promise<void>): Promise<void> {
    const { signIn } = this.#state.config;
    if (!signIn) return;
    this.#set({ isSigningIn: true });
    try {
      await work(await import('#ui/sign-in/openid.ts'), signIn);
    } catch {
      const text = 'The sign-in did not work. Try it once more.';
      this.#set({ isSigningIn: false, signInProblem: { of: 'member', text } });
    }
  }

  async #open(token: string, session: Session): Promise<void> {
    this.#api = new ExportsApi(token);
    this.#state = { ...without(this.#state, 'signInProblem'), session };
    await this.#look();
    this.#loadShownLedger();
  }

  async #beginReplay(category: Category, request: ReplayRequest): Promise<ApiProblem | undefined> {
    return await this.#try(async (api) => {
      const started = await api.startReplay(category, request);
      this.#change(category, { replays: [started, ...this.#panel(category).replays] });
      const { tenant } = this.#state;
      const { replayId } = started;
      if (tenant) this.#deps.kept.add({ tenantId: tenant.tenantId, category, replayId });
      this.#set({ announcement: 'The replay has begun.' });
    });
  }

  async #endGivenUp(category: Category, work: () => Promise<ApiProblem | undefined>): Promise<void> {
    this.#change(category, { givenUp: { phase: 'sending' } });
    const problem = await work();
    this.#change(category, { givenUp: afterRequest(problem) });
    await this.#look();
  }

  #panel(category: Category): Panel {
    return this.#state.panels[category];
  }

  #set(changes: Partial<State>): void {
    this.#state = { ...this.#state, ...changes, now: this.#deps.now() };
    this.#deps.render(this.#state);
  }

  #change(category: Category, changes: Partial<Panel>): void {
    const { panels } = this.#state;
    this.#set({ panels: { ...panels, [category]: { ...panels[category], ...changes } } });
  }

  #changeForm(category: Category, changes: Partial<ReplayForm>): void {
    const form = without(this.#panel(category).replayForm, 'problem');
    this.#change(category, { replayForm: { ...form, ...changes } });
  }

  #changeLedger(category: Category, changes: Partial<Ledger>): void {
    this.#change(category, { ledger: { ...this.#panel(category).ledger, ...changes } });
  }

  #loadShownLedger(): void {
    const { route } = this.#state;
    if (route.screen === 'export' && !this.#panel(route.category).ledger.hours && this.#api)
      void this.loadLedger(route.category);
  }

  /**
   * Calls the service for the session of now.
   *
   * @returns why it failed. If the service does not accept the token, the session is over.
   */
  async #try(work: (api: ExportsApi) => Promise<void>): Promise<ApiProblem | undefined> {
    const api = this.#api;
    if (!api) return undefined;
    try {
      await work(api);
      return undefined;
    } catch (error) {
      const problem = error instanceof ApiProblem ? error : new ApiProblem(String(error), { status: 0 });
      if (problem.status === 401 && this.#api === api) this.#end('ended');
      return problem;
    }
  }

  /** Asks how the exports fare, and sets the time of the next look. */
  async #look(): Promise<void> {
    clearTimeout(this.#timer);
    const { session } = this.#state;
    const api = this.#api;
    if (!session || !api) return;
    if (session.expiresAt <= this.#deps.now()) {
      this.signOut(endings[kindOf(session)].expired(timeText(session.expiresAt)));
      return;
    }
    const problem = await this.#try(async () => {
      const { tenant, exports } = await api.list();
      if (this.#api !== api) return;
      if (!this.#state.tenant) this.#greet(api, tenant);
      const announcement = changesIn(this.#state.exports, exports) || this.#state.announcement;
      const state = without(this.#state, 'problem');
      this.#state = { ...state, exports, announcement };
    });
    if (this.#api !== api) return;
    await this.#lookAtReplays(api);
    if (this.#api !== api) return;
    if (problem?.status === 403) {
      this.#end('empty');
      return;
    }
    this.#set(problem === undefined ? {} : { problem: problem.message });
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.wake(), this.#isBusy() ? pace.busy : pace.idle);
  }

  #end(why: 'ended' | 'empty'): void {
    const { session } = this.#state;
    if (session) this.signOut(endings[kindOf(session)][why]);
  }

  /** What there is to know of the tenant besides its exports. */
  #greet(api: ExportsApi, tenant: Tenant): void {
    this.#state = { ...this.#state, tenant };
    void this.#loadBrand(api, tenant);
    for (const kept of this.#deps.kept.of(tenant.tenantId)) void this.#loadReplay(api, kept);
  }

  async #loadBrand(api: ExportsApi, { tenantId }: Tenant): Promise<void> {
    const brand = await tenantBrand(tenantId);
    if (brand && this.#api === api) this.#set({ brand });
  }

  async #loadReplay(api: ExportsApi, { category, replayId }: KeptReplay): Promise<void> {
    const problem = await this.#try(async () => {
      const replay = await api.replay(category, replayId);
      if (this.#api === api) this.#change(category, { replays: [replay, ...this.#panel(category).replays] });
    });
    if (problem?.status === 404) this.#deps.kept.remove(replayId);
  }

  async #lookAtReplays(api: ExportsApi): Promise<void> {
    for (const category of ['public', 'log'] as const)
      for (const { replayId, state } of this.#panel(category).replays) {
        if (state !== 'running') continue;
        const problem = await this.#try(async () => {
          const replay = await api.replay(category, replayId);
          if (this.#api === api) this.#showReplay(category, replay);
        });
        // It is asked again with the next look.
        if (problem !== undefined) return;
      }
  }

  #showReplay(category: Category, replay: Replay): void {
    const { replays } = this.#panel(category);
    const shown = replays.map((one) => (one.replayId === replay.replayId ? { ...one, ...replay } : one));
    this.#change(category, { replays: shown });
    if (replay.state === 'done') this.#set({ announcement: 'The replay is done.' });
    if (replay.state === 'failed') this.#set({ announcement: 'The replay has failed.' });
  }

  #isBusy(): boolean {
    const { exports = [], panels } = this.#state;
    const isReplaying = Object.values(panels).some(({ replays }) =>
      replays.some(({ state }) => state === 'running'),
    );
    return isReplaying || exports.some(isUnderTest);
  }
}
