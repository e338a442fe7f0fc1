import { defineComponent, h, onBeforeUnmount, onMounted, ref, shallowRef, type VNode } from 'vue';
import type { Intent } from '#testing';
import type { Call, Shop } from './shop.ts';

/** Where the elements call the routes. No server has this path. */
const routesPath = '/playground/omi';

const answers: { intent: Intent; label: string }[] = [
  { intent: 'confirms', label: 'Confirm' },
  { intent: 'denies', label: 'Deny' },
  { intent: 'reports', label: 'This was not me' },
];

/** The newest of them are enough. */
const mostCalls = 20;

const statusIn = ({ body }: Call): string | undefined => {
  try {
    return (JSON.parse(body) as { status?: string }).status;
  } catch {
    return undefined;
  }
};

/** A shop with the elements, its user's phone, and what happens between them. */
export const ElementPlayground = defineComponent({
  name: 'ElementPlayground',
  setup: () => {
    const isReady = ref(false);
    const question = ref('');
    const isAdding = ref(false);
    const isScannable = ref(false);
    const outcome = ref('');
    const claims = ref('');
    const calls = shallowRef<Call[]>([]);
    let shop: Shop | undefined;
    let restore = (): void => undefined;

    const onCall = (call: Call): void => {
      const latest = calls.value.at(-1);
      // A poll that tells nothing new.
      if (latest?.path === call.path && latest.method === call.method && statusIn(latest) === statusIn(call))
        return;
      calls.value = [...calls.value, call].slice(-mostCalls);
      if (/\/enrolments(\/|$)/.test(call.path)) isScannable.value = statusIn(call) !== 'completed';
      if (/\/confirmations(\/|$)/.test(call.path))
        question.value = statusIn(call) === 'pending' ? (shop?.question ?? '') : '';
    };

    onMounted(async () => {
      // Pages are built without a browser, which the elements need. And no other page needs any of it.
      const [parts] = await Promise.all([import('./shop.ts'), import('#elements')]);
      shop = new parts.Shop(routesPath, onCall);
      restore = parts.interceptCalls(shop, routesPath);
      isReady.value = true;
    });
    onBeforeUnmount(() => restore());

    const start = (): void => {
      shop?.wait();
      outcome.value = '';
      claims.value = '';
    };

    const addDevice = (): void => {
      start();
      isAdding.value = true;
    };

    const pay = async (event: Event): Promise<void> => {
      event.preventDefault();
      const form = event.target as HTMLFormElement;
      const fields = new URLSearchParams();
      for (const [name, value] of new FormData(form))
        if (typeof value === 'string') fields.append(name, value);
      try {
        const paid = await shop?.pay(fields);
        outcome.value = `Confirmed and paid: ${paid?.message ?? ''}`;
        claims.value = JSON.stringify(paid?.claims, null, 2);
      } catch (error) {
        outcome.value = `Not paid: ${error instanceof Error ? error.message : String(error)}`;
      }
    };

    const website = (): VNode =>
      h('section', { class: 'playground-part', 'aria-label': 'Website' }, [
        h('h2', 'The website'),
        h('form', { onSubmit: (event: Event) => void pay(event) }, [
          h('label', ['To ', h('input', { name: 'to', value: 'Café Zoë', required: true })]),
          h('label', ['Amount in € ', h('input', { name: 'amount', value: '16.00', required: true })]),
          h('omi-confirmation', { path: routesPath, required: true, 'onOmi-start': start }),
          h('button', { class: 'playground-button' }, 'Pay'),
        ]),
        h('p', { role: 'status', class: 'playground-outcome' }, outcome.value),
        isAdding.value
          ? h('omi-enrolment', { path: routesPath })
          : h(
              'button',
              { class: 'playground-button', type: 'button', onClick: addDevice },
              'Add another device',
            ),
      ]);

    const phone = (): VNode =>
      h('section', { class: 'playground-part', 'aria-label': 'Phone' }, [
        h('h2', "The user's phone"),
        h('p', { role: 'status' }, question.value === '' ? 'Nothing to answer.' : question.value),
        h(
          'div',
          { class: 'playground-answers' },
          answers.map(({ intent, label }) =>
            h(
              'button',
              {
                class: 'playground-button',
                type: 'button',
                disabled: question.value === '',
                onClick: () => shop?.answer(intent),
              },
              label,
            ),
          ),
        ),
        isScannable.value
          ? h(
              'button',
              { class: 'playground-button', type: 'button', onClick: () => shop?.answer('confirms') },
              'Scan the code',
            )
          : null,
      ]);

    const behind = (): VNode =>
      h('section', { class: 'playground-part', 'aria-label': 'Calls' }, [
        h('h2', 'Behind it'),
        h(
          'ol',
          { class: 'playground-calls' },
          calls.value.map(({ method, path, status, body }) =>
            h('li', [
              h('code', `${method} ${path.replace(routesPath, '')} → ${status}`),
              h('pre', { tabindex: 0 }, body),
            ]),
          ),
        ),
        claims.value === ''
          ? null
          : [h('h2', 'What the phone signed'), h('pre', { tabindex: 0 }, claims.value)],
      ]);

    return () =>
      h(
        'div',
        { class: 'playground' },
        isReady.value ? [website(), phone(), behind()] : 'The playground needs JavaScript.',
      );
  },
});
