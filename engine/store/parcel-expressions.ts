/** The acres that filters and prices use: recorded acres, else those of the polygon. */
export const effectiveAcresSql = 'coalesce(acres, calculated_acres)';

/** SQL of the columns that exist only for filters and ordering; every other column is its own name. */
export const parcelExpressions: Readonly<Record<string, string>> = {
  effective_acres: effectiveAcresSql,
};
