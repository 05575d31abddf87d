/** The acres that filters and prices go by: recorded ones, or where there are none those of the polygon. */
export const effectiveAcresSql = 'coalesce(acres, calculated_acres)';

/** SQL of the columns that exist for filters and ordering alone; every other column is its own name. */
export const parcelExpressions: Readonly<Record<string, string>> = {
  effective_acres: effectiveAcresSql,
};
