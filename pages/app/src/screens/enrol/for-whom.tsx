import { BrandMark } from '#ui/brand-mark.tsx';
import { ForeignText } from '#ui/foreign-text.tsx';
import type { View } from '../../view.ts';

/** For whom the link is. It stands before each question, so that nobody enrols for somebody else unnoticed. */
export function ForWhom({ view: { state, texts } }: { view: View }) {
  const preview = state.enrolling?.preview;
  if (!preview) return null;
  const { tenant, account, brand } = preview;
  return (
    <>
      <dl class="asker">
        <div class="row">
          <dt>{texts.challenge.from}</dt>
          <dd>
            <ForeignText text={tenant} />
            <BrandMark brand={brand} tenant={tenant} />
          </dd>
        </div>
        {account !== undefined && (
          <div class="row">
            <dt>{texts.challenge.account}</dt>
            <dd>
              <ForeignText text={account} />
            </dd>
          </div>
        )}
      </dl>
      <p class="muted small">{texts.enrol.forWhom}</p>
    </>
  );
}
