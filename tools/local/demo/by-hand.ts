import type { DemoDevice } from './device.ts';

/** The reader's own device: the web app in a browser, or a real phone that reaches the stack. */
export function byHand(say: (line: string) => void): DemoDevice {
  const tell = async (line: string): Promise<void> => {
    say(line);
    await Promise.resolve();
  };
  return {
    title: 'your device',
    enrolling: 'opens the link, creates a key pair and enrols',
    enrol: async (qr) =>
      await tell(
        `\nOpen this link in your browser, or scan the QR code above, and follow the web app:\n\n  ${qr}\n`,
      ),
    show: async ({ message }) => await tell(`\nLook at the web app: it asks "${message}"`),
    answer: async (_, decision) => await tell(`Press "${decision === 'confirm' ? 'Confirm' : 'Deny'}".\n`),
    close: async () => {
      await Promise.resolve();
    },
  };
}
