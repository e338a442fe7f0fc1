import '../../../../packages/elements/src/index.ts';
import { createApp, h, ref } from 'vue';

// A page with a strict policy cannot compile templates, so this is what a template is compiled to.
createApp({
  setup: () => {
    const amount = ref(20);
    const result = ref('nothing yet');
    return () => [
      h('button', { onClick: () => (amount.value += 5) }, 'More'),
      h('omi-confirmation', {
        data: { amount: amount.value },
        deviceId: 'phone',
        onOmiConfirmed: ({ detail }: CustomEvent<{ id: string }>) => {
          result.value = `paid ${amount.value} with ${detail.id}`;
        },
      }),
      h(
        'form',
        {
          onSubmit: (event: Event) => {
            event.preventDefault();
            const data = new FormData(event.currentTarget as HTMLFormElement);
            result.value = `sent ${JSON.stringify(data.get('omi-confirmation'))}`;
          },
        },
        [
          h('omi-confirmation', { required: true, onOmiNoDevice: () => (result.value = 'heard of it') }, [
            h('a', { slot: 'no-device', href: '/device' }, 'Set up a device'),
          ]),
          h('button', 'Send'),
        ],
      ),
      h('p', { id: 'result' }, result.value),
    ];
  },
}).mount('#place');
