import { textOn } from '../../website/src/brand-colors.ts';
import { ForeignText } from './foreign-text.tsx';
import { logoPathOf, type ShownBrand } from './logo-path.ts';

type Props = {
  brand: ShownBrand | undefined;
  /** The registered name, beside which it stands. */
  tenant: string;
};

/** How a tenant presents itself, beside its registered name and never in its place. A brand that says no more is not shown. */
export function BrandMark({ brand, tenant }: Props) {
  if (!brand || (!brand.color && !brand.logoUrl && brand.name === tenant)) return null;
  const { name, color } = brand;
  const logo = logoPathOf(brand);
  return (
    <span
      class="tenant-brand"
      style={color === undefined ? {} : { '--brand': color, '--on-brand': textOn(color) }}
    >
      {logo !== undefined && <img key={logo} src={logo} alt="" width={32} height={32} onError={hideBroken} />}
      <strong>
        <ForeignText text={name} />
      </strong>
    </span>
  );
}

/** The name says it, too. A browser's sign for a picture that is missing says nothing. */
const hideBroken = ({ currentTarget }: { currentTarget: HTMLImageElement }): void => {
  currentTarget.hidden = true;
};
