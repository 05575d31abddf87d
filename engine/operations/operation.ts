/**
 * An operation is one capability of the service: one endpoint, one script call, one CLI call, one MCP tool. All doors
 * are derived from the object, and engine.ts runs and charges it the same way from each of them.
 */
import type { Static, TObject, TSchema } from 'typebox';
import type { PageSizes } from '../spec/paging.ts';
import type { ValueOf } from '../spec/value-schemas.ts';
import type { AccountStore } from '../store/account-store.ts';
import type { LandStore } from '../store/land-store.ts';
import type { PeopleStore } from '../store/people-store.ts';

/** Where every path of the service begins. */
export const apiBase = '/api/public/v1/';

export type HttpMethod = 'GET' | 'POST' | 'PATCH' | 'DELETE';
export type Scope = 'read' | 'write' | 'trace';

/** What an operation may touch. The clock comes from here, so that tests are exact. */
export interface OperationContext {
  readonly land: LandStore;
  readonly account: AccountStore;
  readonly people: PeopleStore;
  readonly now: () => Date;
  /** The address of another page of the same list, as the door wants it. */
  readonly pageLink: (page: number) => string;
}

export interface CallLimit {
  /** Before the input is looked at. @throws EngineError rate_limited; takes nothing */
  readonly refuseWhenFull: (account: AccountStore, now: () => Date) => void;
  /** Before the run. @throws EngineError rate_limited, when others were faster */
  readonly take: (account: AccountStore, now: () => Date) => void;
}

export interface OperationDefinition<Input, Output, In extends TObject = TObject, Out extends TSchema = TSchema> {
  /** Name of the operation on every door: CLI, scripts, MCP, OpenAPI's operationId. */
  readonly name: string;
  readonly summary: string;
  readonly docs: string;
  readonly http: {
    readonly method: HttpMethod;
    /** Below the base, with `{field}` for path parameters; ends in a slash. */
    readonly path: string;
    readonly status: number;
    /** Where the status depends on what happened: what it may be besides, and when. */
    readonly otherStatus?: { readonly status: number; readonly is: (output: Output) => boolean };
    /** Fields of a request with a body that travel in the query string. */
    readonly queryFields?: readonly string[];
    /** Fields of those that the body may hold as well. */
    readonly eitherFields?: readonly string[];
  };
  /** What a key must be allowed; null: any valid key. */
  readonly scope: Scope | null;
  /** Only reading one's own usage works without a plan. */
  readonly needsPlan: boolean;
  /** Name in the usage breakdown; null for what is free. */
  readonly meteringKey: string | null;
  /** The price in words, for docs. */
  readonly priceDocs: string;
  /** The most that this input can cost. */
  readonly quote: (input: Input) => number;
  /** What this answer costs. */
  readonly price: (output: Output) => number;
  readonly input: In;
  readonly output: Out;
  /** Rows of the answer as a table, for CSV; absent where the answer is no list. */
  readonly table?: {
    readonly columns: readonly string[];
    readonly rows: (output: Output) => readonly Readonly<Record<string, unknown>>[];
    readonly total: (output: Output) => number;
  };
  /** The price is per row of the answer, so that each page of an iteration is charged. */
  readonly chargedPerRow?: true;
  /** A limit of its own, beside the rate of the HTTP door: it holds for every door and outlives restarts. */
  readonly limit?: CallLimit;
  /** Whether the input holds filter fields, which may come under other names (aliases.ts). */
  readonly takesFilters?: true;
  /** Sizes of a page, where `page` walks through the matches; the library iterates over those. */
  readonly pages?: PageSizes;
  /**
   * Synchronous from start to end: one snapshot of the files, and nothing of another call in between.
   * @throws EngineError
   */
  readonly run: (input: Input, context: OperationContext) => Output;
  /** Sentences about what the answer does not show by itself: what is not loaded, or not filled. */
  readonly notices?: (input: Input, output: Output, context: OperationContext) => readonly string[];
  /** Inputs against the sample county that docs show and tests execute. */
  readonly examples: readonly { readonly title: string; readonly input: Input }[];
}

/** The price of what is free, in one place. */
export const free = { meteringKey: null, priceDocs: 'free', quote: () => 0, price: () => 0 } as const;

/** The definition itself; the types of its functions are those of its schemas. */
export const defineOperation = <In extends TObject, Out extends TSchema>(
  definition: OperationDefinition<ValueOf<In>, Static<Out>, In, Out>,
) => definition;

/** The status of an answer. */
export const statusOf = <Output>(
  { http: { status, otherStatus } }: Pick<OperationDefinition<never, Output>, 'http'>,
  output: Output,
): number => (otherStatus?.is(output) ? otherStatus.status : status);

/** What a key must be allowed, for docs. */
export const scopeWords = (scope: Scope | null): string => (scope === null ? 'any' : `\`${scope}\``);

/** Names of the path parameters: `properties/{id}/` → `id`. */
export const pathFields = (path: string): string[] => [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? '');
