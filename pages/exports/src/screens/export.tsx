import { Icon } from '#ui/icon.tsx';
import { Notice, Title, Working } from '#ui/states.tsx';
import type { Category, Export } from '../api/shapes.ts';
import { DeliveriesPanel } from '../parts/deliveries-panel.tsx';
import { LedgerPanel } from '../parts/ledger-panel.tsx';
import { LogPanel } from '../parts/log-panel.tsx';
import { PolicyToPaste } from '../parts/policy.tsx';
import { ReplayPanel } from '../parts/replay-panel.tsx';
import { SamplesPanel } from '../parts/samples-panel.tsx';
import { Status } from '../parts/status.tsx';
import { SteeringPanel } from '../parts/steering-panel.tsx';
import { TestPanel } from '../parts/test-panel.tsx';
import { hashOf } from '../state/state.ts';
import { categoryNames } from '../text/labels.ts';
import type { View } from '../view.ts';

/** One export: its state and what to do, its test, replays and its ledger. */
export function ExportScreen({ view, category }: { view: View; category: Category }) {
  const { state } = view;
  const found = state.exports?.find((one) => one.category === category);
  return (
    <div class="stack">
      <a class="back" href={hashOf({ screen: 'exports' })}>
        <Icon name="back" />
        All exports
      </a>
      <Title>{categoryNames[category]}</Title>
      {found ? (
        <Parts view={view} one={found} />
      ) : state.exports ? (
        <Notice tone="info">
          <p>Your tenant has no export of this category. The operator sets it up.</p>
        </Notice>
      ) : (
        state.problem === undefined && <Working>Asking the service …</Working>
      )}
    </div>
  );
}

const Parts = ({ view, one }: { view: View; one: Export }) => (
  <>
    <Status view={view} one={one} />
    {one.action?.policy && <PolicyToPaste view={view} policy={one.action.policy} />}
    {one.destination.kind !== 'none' && (
      <>
        <TestPanel view={view} one={one} />
        <SamplesPanel view={view} one={one} />
        <SteeringPanel view={view} one={one} />
        <ReplayPanel view={view} one={one} />
        <DeliveriesPanel view={view} one={one} />
      </>
    )}
    <LedgerPanel view={view} one={one} />
    <LogPanel view={view} one={one} />
  </>
);
