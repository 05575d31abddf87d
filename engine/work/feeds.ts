/** The operations over feeds as the app's changes. None of it can be undone: a secret is shown once. */
import type { Static, TObject, TSchema } from 'typebox';
import type { Engine } from '../engine.ts';
import { makeFeedOperation } from '../operations/make-feed.ts';
import { type OperationDefinition, runAtHome } from '../operations/operation.ts';
import { renewFeedOperation } from '../operations/renew-feed.ts';
import { revokeFeedOperation } from '../operations/revoke-feed.ts';
import type { ValueOf } from '../spec/value-schemas.ts';
import { defineChange } from './change.ts';

const fromOperation = <In extends TObject, Out extends TSchema>(
  operation: OperationDefinition<ValueOf<In>, Static<Out>, In, Out>,
) =>
  defineChange({
    name: operation.name,
    docs: operation.docs,
    input: operation.input,
    output: operation.output,
    run: (asked: ValueOf<In>, engine: Engine) => ({ data: runAtHome(operation, asked, engine) as ValueOf<Out> }),
  });

export const makeFeedChange = fromOperation(makeFeedOperation);
export const renewFeedChange = fromOperation(renewFeedOperation);
export const revokeFeedChange = fromOperation(revokeFeedOperation);
