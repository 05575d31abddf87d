/** The classes of the map's legend, counted over all matches with a shape, inside and outside the view. */
import Type from 'typebox';
import {
  type LegendNumber,
  type LegendText,
  legendNumbers,
  legendTexts,
  liveLegend,
  liveTextLegend,
} from '../query/live-legend.ts';
import { parseLiveRequest } from '../query/live-request.ts';
import { choiceSchema, count, listSchema, strict, textSchema } from '../spec/value-schemas.ts';
import { filterBodySchema } from '../work/filter-body.ts';
import { defineRead } from './read.ts';

export const mapLegend = defineRead({
  name: 'map_legend',
  docs: 'How many of the matching parcels with a shape fall into each class of a number (the limits are rounded quantiles unless they are given), or have each of the values of a text.',
  input: Type.Object(
    {
      filter: filterBodySchema,
      column: choiceSchema([...(Object.keys(legendNumbers) as LegendNumber[]), ...legendTexts]),
      limits: Type.Optional(
        Type.Array(Type.Number(), {
          minItems: 1,
          maxItems: 8,
          description: 'Where classes begin; absent: quantiles of what is shown.',
        }),
      ),
      values: Type.Optional(
        listSchema(textSchema(), { description: 'For a text: the counted values, in this order.' }),
      ),
    },
    strict,
  ),
  output: Type.Object(
    {
      limits: Type.Array(Type.Number()),
      counts: Type.Array(count()),
      unknown: count(),
    },
    strict,
  ),
  run: ({ filter, column, limits, values = [] }, { land, account }) => {
    const request = parseLiveRequest(filter, account);
    return isText(column) ? liveTextLegend(land, request, column, values) : liveLegend(land, request, column, limits);
  },
});

const isText = (column: LegendNumber | LegendText): column is LegendText =>
  (legendTexts as readonly string[]).includes(column);
