/**
 * An operation is one capability of the service: one endpoint, one script call, one CLI call, one MCP tool. All doors
 * are derived from the object, and engine.ts runs and charges it the same way from each of them.
 */
import type { Static, TObject, TSchema } from 'typebox';
import type { KeyScope } from '../account/api-keys.ts';
import { type Answered, andThen, atOnce } from '../land/answered.ts';
import type { LandReader } from '../land/land-reader.ts';
import { LocalLand } from '../land/local-land.ts';
import type { PageSizes } from '../spec/paging.ts';
import type { ValueOf } from '../spec/value-schemas.ts';
import type { AccountStore } from '../store/account-store.ts';
import type { LandStore } from '../store/land-store.ts';
import type { PeopleStore } from '../store/people-store.ts';

/** Where every path of the service begins. */
export const apiBase = '/api/public/v1/';

type HttpMethod = 'GET' | 'POST' | 'PATCH' | 'DELETE';
/** `feeds` is apart from `read`: an address that it makes opens without a key, and outlives it. */
export type Scope = KeyScope;

/** The land, the stores and the clock of a run; tests set the clock. */
export interface OperationContext {
  readonly land: LandReader;
  readonly account: AccountStore;
  readonly people: PeopleStore;
  readonly now: () => Date;
  /** The address of another page of the same list, in the form of the door. */
  readonly pageLink: (page: number) => string;
  /** Receives sentences beside the answer: data that is not loaded, columns that are not filled. Absent if not wanted. */
  readonly notice?: (...sentences: readonly string[]) => void;
  /** Receives sentences on what to try where nothing is found. Absent if not wanted: they take searches of their own. */
  readonly hint?: ((...sentences: readonly string[]) => void) | undefined;
}

interface CallLimit {
  /** Runs before the input is checked; takes nothing. @throws EngineError rate_limited */
  readonly refuseWhenFull: (account: AccountStore, now: () => Date) => void;
  /** Runs before the operation. @throws EngineError rate_limited, if others took the last one */
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
    /** A second possible status, and when it applies. */
    readonly otherStatus?: { readonly status: number; readonly is: (output: Output) => boolean };
    /** Fields of a request with a body that travel in the query string. */
    readonly queryFields?: readonly string[];
    /** Query fields that the body may hold instead. */
    readonly eitherFields?: readonly string[];
    /** A GET of the path takes the body as JSON in this field of its query, beside `queryFields`. */
    readonly bodyInQuery?: string;
  };
  /** The scope that a key needs; null: any valid key. */
  readonly scope: Scope | null;
  /** False only for the reads of usage, which work without a plan. */
  readonly needsPlan: boolean;
  /** Name in the usage breakdown; null if free. */
  readonly meteringKey: string | null;
  /** The price in words, for docs. */
  readonly priceDocs: string;
  /** The highest price for this input. */
  readonly quote: (input: Input) => number;
  /** The price of this answer. */
  readonly price: (output: Output) => number;
  readonly input: In;
  readonly output: Out;
  /** Rows of the answer as a table, for CSV; absent if the answer is not a list. */
  readonly table?: {
    readonly columns: readonly string[];
    /** Columns that an input asks for, after those. */
    readonly addedColumns?: (input: Input) => readonly string[];
    readonly rows: (output: Output) => readonly Readonly<Record<string, unknown>>[];
    readonly total: (output: Output) => number;
  };
  /** The price is per row of the answer, so that each page of an iteration is charged. */
  readonly chargedPerRow?: true;
  /** A limit for every door that outlives restarts, besides the rate of the HTTP door. */
  readonly limit?: CallLimit;
  /** Whether the input holds filter fields, which have aliases (aliases.ts). */
  readonly takesFilters?: true;
  /** Page sizes, if the answer has pages; the library iterates over them. */
  readonly pages?: PageSizes;
  /**
   * Asks the land first; account and people are read and written after that, in one synchronous piece. Over a local home
   * all of it is one such piece, and no other call runs in between; but for work by the thousand (get_ai_comp_values), which
   * lets others in between two parcels.
   * @throws EngineError
   */
  readonly run: (input: Input, context: OperationContext) => Answered<Output>;
  /** Whether an answer may have notices. */
  readonly hasNotices?: true;
  /** Inputs against the sample county that docs show and tests execute. */
  readonly examples: readonly { readonly title: string; readonly input: Input }[];
}

/** The columns of an answer as a table. */
export const tableColumns = <Input, Output>(
  table: NonNullable<OperationDefinition<Input, Output>['table']>,
  input: Input,
): string[] => [...table.columns, ...(table.addedColumns?.(input) ?? [])];

/** The price fields of free operations. */
export const free = { meteringKey: null, priceDocs: 'free', quote: () => 0, price: () => 0 } as const;

/** The definition itself; the types of its functions are those of its schemas. */
export const defineOperation = <In extends TObject, Out extends TSchema>(
  definition: OperationDefinition<ValueOf<In>, Static<Out>, In, Out>,
) => definition;

/** Tells sentences beside the answer, where they are wanted, and goes on. */
export const telling = <Output>(
  { notice }: Pick<OperationContext, 'notice'>,
  find: () => Answered<readonly string[]>,
  next: () => Answered<Output>,
): Answered<Output> =>
  notice
    ? andThen(find(), (sentences) => {
        notice(...sentences);
        return next();
      })
    : next();

/** The same for hints. */
export const hinting = <Output>(
  { hint }: Pick<OperationContext, 'hint'>,
  find: () => Answered<readonly string[]>,
  next: () => Answered<Output>,
): Answered<Output> => telling(hint ? { notice: hint } : {}, find, next);

type HomeStores = Pick<OperationContext, 'account' | 'people' | 'now'> & { readonly land: LandStore };

/** Runs an operation over the files of a home, for its app: uncharged, and answered at once. */
export const runAtHome = <Input, Output>(
  { run }: { readonly run: (input: Input, context: OperationContext) => Answered<Output> },
  input: Input,
  { land, account, people, now }: HomeStores,
): Output => atOnce(run(input, { land: new LocalLand(land), account, people, now, pageLink: () => '' }));

/** The status of an answer. */
export const statusOf = <Output>(
  { http: { status, otherStatus } }: Pick<OperationDefinition<never, Output>, 'http'>,
  output: Output,
): number => (otherStatus?.is(output) ? otherStatus.status : status);

/** The scope that a key needs, for docs. */
export const scopeWords = (scope: Scope | null): string => (scope === null ? 'any' : `\`${scope}\``);

/** Names of the path parameters: `properties/{id}/` → `id`. */
export const pathFields = (path: string): string[] => [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? '');
