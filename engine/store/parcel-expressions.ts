/** SQL of the columns that exist for filters and ordering alone; every other column is its own name. */
export const parcelExpressions: Readonly<Record<string, string>> = {
  effective_acres: 'coalesce(acres, calculated_acres)',
};
