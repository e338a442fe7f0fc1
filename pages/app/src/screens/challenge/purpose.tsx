import { Icon } from '#ui/icon.tsx';
import { ForeignText } from '#ui/foreign-text.tsx';
import type { Texts } from '../../i18n/en.ts';
import type { OpenChallenge } from '../../state/state.ts';

/** What the confirmation allows besides what the message says, and which device that concerns. */
export function Purpose({ open, texts }: { open: OpenChallenge; texts: Texts }) {
  const { purpose, device } = open.context;
  if (purpose === undefined) return null;
  return (
    <section class="notice warn purpose" aria-label={texts.challenge.otherPurpose}>
      <Icon name="key" />
      <div>
        <p>
          <PurposeText purpose={purpose} texts={texts} />
        </p>
        {device && (
          <p>
            <ForeignText text={device.name} />
            {device.deviceId === open.deviceId && ` (${texts.challenge.thisDevice})`}
          </p>
        )}
      </div>
    </section>
  );
}

export function PurposeText({ purpose, texts }: { purpose: string; texts: Texts }) {
  const { purposes, otherPurpose } = texts.challenge;
  if (purpose === 'add-device' || purpose === 'remove-device') return <>{purposes[purpose]}</>;
  return (
    <>
      {otherPurpose}: <ForeignText text={purpose} />
    </>
  );
}
