/** The market board's changes: the operations of the public API, recorded so that they can be undone. */
import type { Static, TObject, TSchema } from 'typebox';
import { readPlan, requirePlan } from '../account/plan.ts';
import { type OperationDefinition, runAtHome } from '../operations/operation.ts';
import { saveMarket as saveOperation } from '../operations/save-market.ts';
import { unsaveMarket as unsaveOperation } from '../operations/unsave-market.ts';
import { updateSavedMarket as updateOperation } from '../operations/update-saved-market.ts';
import { findFormerRegion, regionTable } from '../query/region-query.ts';
import type { ValueOf } from '../spec/value-schemas.ts';
import { type ChangeContext, defineChange } from './change.ts';

/** @param words sentence about the region with the id; called before and after */
const fromOperation = <In extends TObject, Out extends TSchema>(
  operation: OperationDefinition<ValueOf<In>, Static<Out>, In, Out>,
  words: (input: ValueOf<In>, region: string) => string,
  regionId: (input: ValueOf<In>, context: ChangeContext) => string | undefined,
) =>
  defineChange({
    name: operation.name,
    docs: operation.docs,
    input: operation.input,
    output: operation.output,
    write: (input, context) => {
      requirePlan(readPlan(context.engine.account));
      const id = regionId(input, context);
      const data = runAtHome(operation, input, context.engine);
      const region =
        id === undefined ? 'a market' : findFormerRegion(regionTable(context.engine.land), id.toLowerCase()).name;
      return { data: data as ValueOf<Out>, sentence: words(input, region) };
    },
  });

const savedRegion = ({ id }: { id: number }, { engine }: ChangeContext): string | undefined =>
  engine.account.file.get<{ region_id: string }>('SELECT region_id FROM saved_markets WHERE market_id = ?', id)
    ?.region_id;

export const saveMarket = fromOperation(
  saveOperation,
  ({ status }, region) => `Saved ${region}${status === undefined ? '' : ` under ${status}`}`,
  ({ region_id: id }) => id,
);

export const updateSavedMarket = fromOperation(
  updateOperation,
  ({ status, position }, region) =>
    status === undefined ? `Moved ${region} to place ${position}` : `Put ${region} under ${status}`,
  savedRegion,
);

export const unsaveMarket = fromOperation(unsaveOperation, (_input, region) => `Removed ${region}`, savedRegion);
