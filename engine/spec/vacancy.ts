/** Whether a parcel is vacant, and by which signs: what the filter `vacant_only` asks (store/parcel-expressions.ts). */

export interface BuiltSigns {
  readonly structure_count: number | null;
  readonly assessed_improvement_value: number | null;
  readonly market_improvement_value: number | null;
  readonly land_use_code: string | null;
  readonly property_class_id: string | null;
}

interface Vacancy {
  /** Null: no column tells. */
  readonly isVacant: boolean | null;
  /** What decides it, like `no structure found` or `improvements worth $12,000`. */
  readonly signs: readonly string[];
}

const saysVacant = (code: string | null): code is string =>
  code !== null && /vacant/i.test(code) && !/^no.*vacant/i.test(code);

/** Any sign of a structure decides. */
export function vacancyOf(parcel: BuiltSigns): Vacancy {
  const { structure_count: structures, land_use_code: use, property_class_id: kind } = parcel;
  const improvements = [parcel.assessed_improvement_value, parcel.market_improvement_value].filter(
    (one) => one !== null,
  );
  const worth = Math.max(...improvements);
  const built = [
    ...(structures !== null && structures > 0 ? [structures === 1 ? '1 structure' : `${structures} structures`] : []),
    ...(worth > 0 ? [`improvements worth $${worth.toLocaleString('en-US')}`] : []),
  ];
  if (built.length > 0) return { isVacant: false, signs: built };
  const [said] = [use, kind].filter(saysVacant);
  const empty = [
    ...(structures === 0 ? ['no structure found'] : []),
    ...(improvements.length > 0 ? ['improvements worth 0'] : []),
    ...(said === undefined ? [] : [`the use ${said}`]),
  ];
  return { isVacant: empty.length > 0 ? true : null, signs: empty };
}
