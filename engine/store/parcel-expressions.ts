/** The acres that filters and prices use: recorded acres, else those of the polygon. */
export const effectiveAcresSql = 'coalesce(acres, calculated_acres)';

/** A use code that says vacant in words. */
const saysVacant = (column: string): string => `(${column} LIKE '%vacant%' AND ${column} NOT LIKE 'no%vacant%')`;

/**
 * Whether nothing is built: any sign of a structure decides, a building found or a value of improvements; else a count or a
 * value of 0, or a use or class that says vacant.
 */
const vacantSql = `CASE
  WHEN structure_count > 0 OR assessed_improvement_value > 0 OR market_improvement_value > 0 THEN 0
  WHEN structure_count = 0 OR assessed_improvement_value = 0 OR market_improvement_value = 0
    OR ${saysVacant('land_use_code')} OR ${saysVacant('property_class_id')} THEN 1
  END`;

/** SQL of the columns that exist only for filters and ordering; every other column is its own name. */
export const parcelExpressions: Readonly<Record<string, string>> = {
  effective_acres: effectiveAcresSql,
  vacant: vacantSql,
  /** `6th PM T5N R3W S12`: what a filter names is a row of its words. */
  plss: "(coalesce(principal_meridian || ' ', '') || township || ' ' || range || coalesce(' S' || section, ''))",
};
