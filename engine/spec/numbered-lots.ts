/** Lots around a parcel as lists and pages number them: an account on the ground of a listed lot has no number of its own. */
export interface NumberedLot<Row> {
  readonly number: number;
  readonly lot: Row;
  /** Further accounts on its ground. */
  readonly accounts: readonly Row[];
}

/** Accounts without a listed lot, those of the parcel's own ground, stand by themselves. */
export function numberedLots<Row extends { readonly property_id: number; readonly stacked_on: number | null }>(
  neighbours: readonly Row[],
): NumberedLot<Row>[] {
  const listed = new Set(neighbours.map(({ property_id: id }) => id));
  const accounts = Map.groupBy(neighbours, ({ stacked_on: on }) => on);
  return neighbours
    .filter(({ stacked_on: on }) => on === null || !listed.has(on))
    .map((lot, at) => ({ number: at + 1, lot, accounts: accounts.get(lot.property_id) ?? [] }));
}
