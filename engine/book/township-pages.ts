/** One page a township, and a grid for land beyond the survey: so none is lost. */

import type { Box } from '../exporting/pdf-page.ts';
import { middleOfBounds } from '../geo/geometry.ts';
import { townshipsOf } from '../query/townships.ts';
import { EngineError } from '../spec/errors.ts';
import type { LandStore } from '../store/land-store.ts';
import { type PageArea, planAreas } from './area-pages.ts';
import type { ChosenLand } from './land-boxes.ts';
import { type PagePlan, planPages } from './page-plan.ts';

/** @throws EngineError validation_error without a survey */
export function planTownships(land: LandStore, { placed }: ChosenLand, box: Box, scale: number | null): PagePlan {
  const townships = surveyOf(land);
  if (townships.length === 0)
    throw new EngineError(
      'validation_error',
      'No township is known here: import the public land survey (platbook enrich plss FILE), or let pages be a grid.',
    );
  const plan = planAreas(townships, placed, box, scale);
  const rest = placed.filter(({ bounds }) => !plan.homeOf(middleOfBounds(bounds)));
  const others = rest.length === 0 ? null : planPages(rest, box, plan.scale);
  if (!others) return plan;
  return {
    ...{ scale: plan.scale, cutStrips: others.cutStrips },
    pages: [...plan.pages, ...others.pages],
    homeOf: (point) => plan.homeOf(point) ?? others.homeOf(point) ?? nearest(plan, point),
  };
}

/** A sliver beyond the survey's outer line: the page that shows it. */
const nearest = ({ pages }: PagePlan, [x, y]: readonly [number, number]) =>
  pages.find(({ frame: { bounds } }) => x >= bounds.minX && x <= bounds.maxX && y >= bounds.minY && y <= bounds.maxY);

/** The townships of all counties with a survey. One that several counties have counts once: each page needs one name. */
function surveyOf(land: LandStore): PageArea[] {
  const counties = land.file.column<string>("SELECT DISTINCT fips FROM layers WHERE kind = 'plss' ORDER BY fips");
  const all = counties.flatMap((fips) => townshipsOf(land, fips));
  const byPlace = new Map(all.map((one) => [`${one.name} ${one.meridian}`, one]));
  const counts = Map.groupBy(byPlace.values(), ({ name }) => name);
  return [...byPlace.values()].map(({ name, meridian, polygons }) => ({
    name: (counts.get(name)?.length ?? 0) > 1 && meridian !== null ? `${name} ${meridian}` : name,
    polygons,
  }));
}
