import { OmiConfirmation } from '@omi/elements/react';
import { pay } from './actions.ts';

type Search = { searchParams: Promise<{ result?: string }> };

const Page = async ({ searchParams }: Search) => (
  <form action={pay}>
    <label>
      Euro <input name="amount" />
    </label>
    <label>
      To <input name="to" />
    </label>
    <OmiConfirmation>
      <a slot="no-device" href="/device">
        Set up a device
      </a>
    </OmiConfirmation>
    <button type="submit">Pay</button>
    <output>{(await searchParams).result}</output>
  </form>
);
export default Page;
