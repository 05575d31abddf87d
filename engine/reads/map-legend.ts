/** The classes of the map's legend, counted over all that match and have a shape, wherever the map looks. */
import Type from 'typebox';
import {
  type Legend,
  type LegendNumber,
  type LegendText,
  legendNumbers,
  legendTexts,
  liveLegend,
  liveTextLegend,
} from '../query/live-legend.ts';
import { type LiveFilter, parseLiveRequest } from '../query/live-request.ts';
import { choiceSchema, listSchema, textSchema } from '../spec/value-schemas.ts';
import { filterBodySchema } from '../work/filter-body.ts';
import { defineRead } from './read.ts';

export interface MapLegendInput {
  readonly filter: LiveFilter;
  readonly column: LegendNumber | LegendText;
  /** Where classes begin; absent: quantiles of what is shown. */
  readonly limits?: readonly number[];
  /** Of a text: the values that are counted, in this order. */
  readonly values?: readonly string[];
}

export const mapLegend = defineRead<MapLegendInput, Legend>({
  name: 'map_legend',
  docs: 'How many of the matching parcels with a shape fall into each class of a number (the limits are rounded quantiles unless they are given), or have each of the values of a text.',
  input: Type.Object(
    {
      filter: filterBodySchema,
      column: choiceSchema([...Object.keys(legendNumbers), ...legendTexts]),
      limits: Type.Optional(Type.Array(Type.Number(), { minItems: 1, maxItems: 8 })),
      values: Type.Optional(listSchema(textSchema())),
    },
    { additionalProperties: false },
  ),
  output: Type.Object(
    {
      limits: Type.Array(Type.Number()),
      counts: Type.Array(Type.Integer({ minimum: 0 })),
      unknown: Type.Integer({ minimum: 0 }),
    },
    { additionalProperties: false },
  ),
  run: ({ filter, column, limits, values = [] }, { land, account }) => {
    const request = parseLiveRequest(filter, account);
    return isText(column) ? liveTextLegend(land, request, column, values) : liveLegend(land, request, column, limits);
  },
});

const isText = (column: LegendNumber | LegendText): column is LegendText =>
  (legendTexts as readonly string[]).includes(column);
