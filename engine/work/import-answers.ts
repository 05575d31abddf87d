/** Answers of an import's jobs and changes, for the screen that shows them. Types only. */
export type { EnrichReport } from '../enrichment/enrich.ts';
export type { Waiting } from '../enrichment/waiting.ts';
export type { Question, QuestionChoice } from '../importing/guess/guess-questions.ts';
export type { ListChoices, ListField, ListKind, ListProposal } from '../importing/guess/list-proposal.ts';
export type { Proposal, ProposedColumn, UnmappedColumn } from '../importing/guess/propose-mapping.ts';
export type { MappingSample } from '../importing/guess/sample-mapping.ts';
export type { ContactImportReport } from '../importing/lists/contact-report.ts';
export type { Look, LookedColumn, LookedLayer } from '../importing/look.ts';
export type { Expression, ExpressionObject, Mapping, MappingJoin } from '../importing/mapping/mapping-schema.ts';
export type { ImportPlanReport } from '../importing/merge/plan-import.ts';
export type { StatewideReport } from '../importing/merge/statewide.ts';
export type { UndoReport } from '../importing/merge/undo-import.ts';
export type { ImportReport } from '../importing/stage/import-report.ts';
export type { JobStatus } from '../jobs/job.ts';
