/** What the KMS keys of a stage are for. */
export const keyUses = ['secrets', 'signing', 'receipts', 'signals', 'log'] as const;

export type KeyUse = (typeof keyUses)[number];
export type SigningUse = Exclude<KeyUse, 'secrets'>;

/** The settings with the names of keys. */
export const keySettings = {
  signing: 'signingKeys',
  receipts: 'receiptKeys',
  signals: 'signalKeys',
  log: 'logKeys',
} as const satisfies Record<SigningUse, string>;

type Named = Readonly<Record<(typeof keySettings)[SigningUse], readonly string[]>>;

/** The name of a key in the templates, which its replica in another region has, too. */
export const keyNameOf = (use: KeyUse, name: string): string =>
  `${use.charAt(0).toUpperCase()}${use.slice(1)}${name}`;

/** All keys of a stage. */
export const keysOfStage = (named: Named): { id: string; use: KeyUse }[] =>
  keyUses.flatMap((use) => {
    const names = use === 'secrets' ? [''] : named[keySettings[use]];
    return names.map((name) => ({ id: keyNameOf(use, name), use }));
  });
