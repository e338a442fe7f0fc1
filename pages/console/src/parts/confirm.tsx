import { Button } from '#ui/buttons.tsx';
import { Notice } from '#ui/states.tsx';
import type { View } from '../view.ts';

/** What cannot be taken back is asked for twice. */
export const Confirm = ({
  view: { state, actions },
  question,
  yes,
  onYes,
}: {
  view: View;
  question: string;
  yes: string;
  onYes: () => void;
}) => (
  <Notice tone="warn">
    <div class="stack close" role="group" aria-label={question}>
      <p>{question}</p>
      <div class="actions">
        <Button kind="primary" isBusy={state.busy !== undefined} onClick={onYes}>
          {yes}
        </Button>
        <Button onClick={() => actions.leaveAsItIs()}>Leave it as it is</Button>
      </div>
    </div>
  </Notice>
);
