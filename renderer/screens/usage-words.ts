/** The names of ledger entries on buttons and in sentences. */
import type { OperationName } from '../../engine/operations/index.ts';

const actions: Partial<Record<OperationName, string>> = {
  filter_properties: 'Search',
  search_properties: 'Find by APN or owner',
  get_property: 'Look up',
  get_owner: 'Owner',
  list_neighbours: 'Neighbours',
  list_comps: 'List comps',
  get_property_ai_comp_value: 'Value',
  get_ai_comp_values: 'Value',
  skip_trace_owner: 'Skip trace',
  skip_trace_property_owner: 'Skip trace',
  get_market_stats: 'Market numbers',
};

/** As on the button; the operation's own name if there is no button. */
export const actionWords = (operation: string): string => actions[operation as OperationName] ?? operation;

const modes: Readonly<Record<string, string>> = {
  app: 'this window',
  direct: 'HTTP API',
  mcp: 'assistant',
  script: 'script',
  feed: 'feed',
};

export const modeWords = (mode: string): string => modes[mode] ?? mode;
