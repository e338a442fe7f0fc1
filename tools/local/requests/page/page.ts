import type { Screen, Shown } from '../shown.ts';

/** As many as the stack keeps. */
const mostCalls = 300;

const idOf = (id: string): HTMLElement => {
  const found = document.getElementById(id);
  if (!found) throw new Error(`The page has no ${id}`);
  return found;
};

const list = idOf('calls');
const state = idOf('state');
const filter = idOf('filter') as HTMLInputElement;

/** What phones showed, by request: a phone looks after the website has asked. */
const screens = new Map<string, Screen>();
type Item = { call: Shown; item: HTMLLIElement; text: string; refresh: () => void };
const shown = new Map<number, Item>();

function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  { className = '', text }: { className?: string; text?: string } = {},
  ...children: Node[]
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  if (className !== '') made.className = className;
  if (text !== undefined) made.textContent = text;
  made.append(...children);
  return made;
}

const json = (value: unknown): HTMLElement =>
  element('pre', { text: typeof value === 'string' ? value : JSON.stringify(value, null, 2) });

const part = (title: string, ...content: Node[]): Node[] => [element('h2', { text: title }), ...content];

const queryOf = ({ query }: Shown): string => {
  const pairs = Object.entries(query).map(([name, value]) => `${name}=${value}`);
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
};

const summaryOf = (call: Shown): HTMLElement => {
  const isRefused = call.status >= 400;
  return element(
    'summary',
    {},
    element('span', { className: 'soft', text: new Date(call.at).toLocaleTimeString() }),
    element('code', { text: `${call.method} ${call.path}${queryOf(call)}` }),
    element('strong', { className: isRefused ? 'bad' : 'good', text: String(call.status) }),
    ...(call.problem ? [element('span', { className: 'bad', text: call.problem.code })] : []),
    element('span', { className: 'soft', text: `${call.tookMs} ms` }),
  );
};

function phoneOf({ message, details, context }: Screen): HTMLElement {
  return element(
    'div',
    { className: 'phone' },
    element('p', {}, element('strong', { text: message })),
    ...(context === undefined ? [] : [json(context)]),
    ...(details === undefined ? [] : [json(details)]),
  );
}

function screensOf(call: Shown): Screen[] {
  if (call.screens.length > 0) return call.screens;
  const known = call.challengeId === undefined ? undefined : screens.get(call.challengeId);
  return known ? [known] : [];
}

async function logOf(call: Shown): Promise<string[]> {
  const response = await fetch(`/log?traceId=${encodeURIComponent(call.traceId)}`);
  return response.ok ? ((await response.json()) as string[]) : [];
}

/** Made when somebody looks: what the phone showed may have come later than the call. */
async function detailsOf(call: Shown): Promise<Node[]> {
  const { problem, request, answer, aws, caller, lambda, traceId } = call;
  const seen = screensOf(call);
  const lines = await logOf(call);
  return [
    ...(problem ? part('Why it was refused', element('p', { text: problem.detail })) : []),
    ...(request === undefined ? [] : part('Sent', json(request))),
    ...(answer === undefined ? [] : part('Answered', json(answer))),
    ...(seen.length === 0 ? [] : part('What the phone showed', ...seen.map(phoneOf))),
    ...part(
      'Trace',
      element(
        'p',
        { text: `Called by ${caller}. Lambda ${lambda === '' ? 'none' : lambda}. traceId ` },
        element('code', { text: traceId }),
      ),
      ...(aws.length === 0
        ? []
        : [
            element(
              'ul',
              {},
              ...aws.map(({ service, operation, resources }) =>
                element(
                  'li',
                  {},
                  element('code', { text: `${service} ${operation} ${resources.join(', ')}` }),
                ),
              ),
            ),
          ]),
    ),
    ...(lines.length === 0 ? [] : part('In the log of the Lambda', ...lines.map(json))),
  ];
}

function itemOf(call: Shown): Item {
  const body = element('div');
  const details = element('details', {}, summaryOf(call), body);
  const refresh = (): void => {
    if (details.open) void detailsOf(call).then((content) => body.replaceChildren(...content));
  };
  details.addEventListener('toggle', refresh);
  return { call, item: element('li', {}, details), text: JSON.stringify(call).toLowerCase(), refresh };
}

function applyFilter(): void {
  const wanted = filter.value.trim().toLowerCase();
  let count = 0;
  for (const { item, text } of shown.values()) {
    item.hidden = !text.includes(wanted);
    if (!item.hidden) count += 1;
  }
  state.textContent = count === 0 ? 'No calls yet.' : `${count} ${count === 1 ? 'call' : 'calls'}.`;
}

/** What is open, and about it, shows it too. */
function addScreen(screen: Screen): void {
  screens.set(screen.challengeId, screen);
  for (const { call, refresh } of shown.values()) if (call.challengeId === screen.challengeId) refresh();
}

function add(call: Shown): void {
  if (shown.has(call.id)) return;
  for (const screen of call.screens) addScreen(screen);
  const made = itemOf(call);
  shown.set(call.id, made);
  list.prepend(made.item);
  const [oldest] = shown;
  if (shown.size > mostCalls && oldest) {
    oldest[1].item.remove();
    shown.delete(oldest[0]);
  }
}

let isDue = false;
/** A burst of calls is drawn once. */
function applyLater(): void {
  if (isDue) return;
  isDue = true;
  setTimeout(() => {
    isDue = false;
    applyFilter();
  }, 50);
}

filter.addEventListener('input', applyFilter);
const source = new EventSource('/live');
source.addEventListener('open', applyLater);
source.addEventListener('message', ({ data }: MessageEvent<string>) => {
  add(JSON.parse(data) as Shown);
  applyLater();
});
source.addEventListener('error', () => (state.textContent = 'The stack does not answer. Trying again …'));
